"""The script that people write: walk a tree and print each log that holds one of the literals."""
import os
import re
import sys

literals, tree = sys.argv[1:]
with open(literals, "rb") as f:
    wanted = re.compile(b"|".join(re.escape(l) for l in f.read().splitlines()))
for folder, _, names in os.walk(tree):
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as log:
            for line in log:
                if wanted.search(line):
                    print(path)
                    break

"""Print the JSON lines whose event says how an Airflow 3 try ended."""
import json
import sys

with open(sys.argv[1], "rb") as log:
    for line in log:
        event = json.loads(line)["event"]
        if event == "Task failed with exception" or event.startswith(
            ("Process terminated by signal", "Server indicated the task")
        ):
            sys.stdout.write(line.decode())

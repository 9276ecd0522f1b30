# Targets for people and for CI; each says what it needs. `make test` needs Go alone.

GO          ?= go
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
VERSION     ?= $(shell git describe --tags --dirty 2>/dev/null || echo devel)
COMMIT      ?= $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
LDFLAGS      = -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
PLATFORMS    = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZTIME    ?= 20s
MODULES      = $(patsubst %/go.mod,%,$(wildcard test/*/go.mod tools/*/go.mod))

# one line for all files that git knows or would take: the same before and after what must not change the tree
TREE = git -c core.quotepath=off ls-files -co --exclude-standard | sort | git hash-object --stdin-paths | git hash-object --stdin

.PHONY: build test check static fmt vet staticcheck tidy generate race cross fuzz bench accuracy demo clean

build:                                     ## ./lastwords, with version and commit
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o lastwords ./cmd/lastwords

test:                                      ## every test
	$(GO) test ./...
	@for m in $(MODULES); do echo "$$m:"; (cd $$m && $(GO) test -short ./...) || exit 1; done

check:                                     ## what a change must pass; the tree is as clean afterwards as before
	@before=$$($(TREE)); $(MAKE) --no-print-directory static race && after=$$($(TREE)) && \
	if [ "$$before" != "$$after" ]; then echo 'make check: the tree has changed:'; git status --short; exit 1; fi

static: fmt vet staticcheck tidy generate

fmt:
	@out=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); [ -z "$$out" ] || { echo "gofmt -w $$out"; exit 1; }

vet:
	$(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	@for m in $(MODULES); do (cd $$m && $(GO) vet ./...) || exit 1; done

staticcheck:
	$(GO) run $(STATICCHECK) ./...

tidy:
	$(GO) mod tidy -diff
	@for m in $(MODULES); do (cd $$m && $(GO) mod tidy -diff) || exit 1; done

generate:                                  ## what is generated is up to date
	@before=$$($(TREE)); $(GO) generate ./... && after=$$($(TREE)) && \
	if [ "$$before" != "$$after" ]; then echo 'go generate has changed:'; git status --short; exit 1; fi

race:                                      ## needs a C compiler
	$(GO) test -race ./...

cross:                                     ## dist/: binaries for every platform
	@mkdir -p dist
	@for p in $(PLATFORMS); do os=$${p%/*}; arch=$${p#*/}; out=dist/lastwords-$$os-$$arch; \
		[ $$os != windows ] || out=$$out.exe; echo $$out; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $$out ./cmd/lastwords || exit 1; done

fuzz:                                      ## every fuzz target for FUZZTIME
	@for f in $$(git ls-files '*_test.go'); do for t in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$f); do \
		echo "$$(dirname $$f) $$t"; $(GO) test -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZTIME) ./$$(dirname $$f) || exit 1; done; done

bench:                                     ## ratios to ripgrep, grep, jq and python; fetches ripgrep
	cd test/bench && $(GO) run .

accuracy: build                            ## docs/accuracy.md; needs python3
	@command -v python3 >/dev/null || { apt-get update -qq && apt-get install -y -qq python3; }
	python3 testdata/score/accuracy.py ./lastwords docs/accuracy.md

demo:
	$(GO) run ./cmd/lastwords scan testdata/demo

clean:
	rm -rf lastwords dist

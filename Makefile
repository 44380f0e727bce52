# Pawl: `make` lists what can be done.
# Recipes are POSIX sh; GNU make 4 or newer.

.DEFAULT_GOAL := help
SHELL := /bin/sh
.SHELLFLAGS := -euc
MAKEFLAGS += --no-print-directory

GO      ?= go
FUZZTIME ?= 10s
KILLS    ?= 50

# The linters are pinned in a module of their own and built without cgo. go tool
# keeps the built programs in Go's cache.
TOOL = CGO_ENABLED=0 $(GO) tool -modfile=$(CURDIR)/tools/go.mod

# The twin in TypeScript. Its packages are pinned in package-lock.json.
TWIN := twins/typescript

# Nested modules with code of ours. A folder that is not there is passed over.
NESTED := $(patsubst %/go.mod,%,$(wildcard bench/go.mod))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: go ## build bin/pawl
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/pawl ./cmd/pawl

.PHONY: run
run: build ## build pawl and run the spam example
	sh examples/spam/run.sh

.PHONY: test
test: deps test-go test-twin ## install what is missing, then vet and test everything, skipping nothing

.PHONY: test-go
test-go: go ## vet and test the Go modules
	$(GO) vet ./...
	PAWL_REQUIRE=1 $(GO) test ./...
	@for dir in $(NESTED); do \
		echo "$(GO) vet, $(GO) test: $$dir"; \
		$(GO) -C $$dir vet ./...; \
		PAWL_REQUIRE=1 $(GO) -C $$dir test ./...; \
	done

# The twin passes the vectors, and answers random inputs as pawl does.
.PHONY: test-twin
test-twin: build node ## test the twin in TypeScript, and compare it with pawl
	cd $(TWIN) && PAWL_REQUIRE=1 PAWL_BIN=$(CURDIR)/bin/pawl npm test
	bin/pawl vectors run --exec 'node $(TWIN)/dist/conform.js'

# crash kills a loaded process KILLS times on SQLite, and as often on Postgres.
.PHONY: crash
crash: go postgres ## kill a loaded process again and again: nothing may be lost
	PAWL_REQUIRE=1 $(GO) test . -run TestAKilledProcessLosesNothing -v -timeout 30m -kills $(KILLS)

# mutants builds pawl some fifty times.
.PHONY: mutants
mutants: go ## change the gate a line at a time: a vector must fail each time
	$(GO) run ./internal/mutants

.PHONY: race
race: go postgres ## test with the race detector (needs a C compiler)
	PAWL_REQUIRE=1 CGO_ENABLED=1 $(GO) test -race ./...

# go test -list prints the names first and then one line for their package.
.PHONY: fuzz
fuzz: go ## run every fuzz target for FUZZTIME (default 10s)
	@list=$$($(GO) test -list '^Fuzz' ./...) || { printf '%s\n' "$$list" >&2; exit 1; }; \
	targets=$$(printf '%s\n' "$$list" | awk '/^Fuzz/ { n[++k] = $$1 } $$1 == "ok" { for (i = 1; i <= k; i++) print $$2, n[i]; k = 0 }'); \
	if [ -z "$$targets" ]; then echo "no fuzz target found" >&2; exit 1; fi; \
	printf '%s\n' "$$targets" | while read -r pkg name; do \
		echo "== $$name in $$pkg, $(FUZZTIME)"; \
		$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x -parallel 2 "$$pkg" </dev/null || exit 1; \
	done

.PHONY: lint
lint: go ## lint, check the format, look for dead code
	$(TOOL) golangci-lint run ./...
	$(TOOL) golangci-lint fmt --diff ./...
	@for dir in $(NESTED); do \
		echo "golangci-lint: $$dir"; \
		(cd $$dir && $(TOOL) golangci-lint run -c $(CURDIR)/.golangci.yml ./... \
			&& $(TOOL) golangci-lint fmt -c $(CURDIR)/.golangci.yml --diff ./...); \
	done
	@echo "deadcode -test ./..."; \
	dead=$$($(TOOL) deadcode -test ./...); \
	if [ -n "$$dead" ]; then \
		printf '%s\n' "$$dead" "Nothing calls these, not even a test: delete them or test them." >&2; exit 1; \
	fi

.PHONY: fmt
fmt: go ## rewrite the Go files in the format that lint wants
	$(TOOL) golangci-lint fmt ./...
	@for dir in $(NESTED); do (cd $$dir && $(TOOL) golangci-lint fmt -c $(CURDIR)/.golangci.yml ./...); done

.PHONY: bench
bench: go ## measure pawl beside its peers
	sh bench/run.sh

.PHONY: generate
generate: go ## rewrite the generated files
	$(GO) generate ./...

# Compares the tree with itself, so that it works outside a git checkout and
# among uncommitted changes, and sees files that were not there before.
SNAPSHOT = find . -type f -not -path './.git/*' -not -path './bin/*' -not -path '*/node_modules/*' -exec cksum {} + | LC_ALL=C sort -k 3
.PHONY: check-generated
check-generated: go ## fail if generating changes a file
	@tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(SNAPSHOT) >"$$tmp/before"; \
	$(GO) generate ./...; \
	$(SNAPSHOT) >"$$tmp/after"; \
	if ! diff "$$tmp/before" "$$tmp/after" >"$$tmp/diff"; then \
		sed -n 's/^[<>] [0-9]* [0-9]* /changed: /p' "$$tmp/diff" | LC_ALL=C sort -u >&2; \
		echo "Generated files were out of date: commit what make generate has written." >&2; exit 1; \
	fi; \
	echo "generated files are up to date"

.PHONY: clean
clean: ## remove what was built
	rm -rf bin $(TWIN)/dist $(TWIN)/build $(TWIN)/node_modules

# node installs Node where it is missing, which takes root and Debian's packages,
# and the packages that the twin's tests need.
.PHONY: node
node:
	@if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then \
		echo "installing Node"; \
		{ apt-get update -q && export DEBIAN_FRONTEND=noninteractive && apt-get install -y -q --no-install-recommends nodejs \
			&& { command -v npm >/dev/null 2>&1 || apt-get install -y -q --no-install-recommends npm; }; } \
			|| { echo "The TypeScript twin needs Node 18 or newer with npm, and they could not be installed: see https://nodejs.org" >&2; exit 1; }; \
	fi
	@node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' \
		|| { echo "The TypeScript twin needs Node 18 or newer, and this is $$(node --version): see https://nodejs.org" >&2; exit 1; }
	@if [ ! -e $(TWIN)/node_modules/.package-lock.json ] || [ $(TWIN)/package-lock.json -nt $(TWIN)/node_modules/.package-lock.json ]; then \
		npm --prefix $(TWIN) ci --no-audit --no-fund; \
	fi

# postgres installs the server that the store's tests start for themselves. They
# need its programs only, not a running server.
.PHONY: postgres
postgres:
	@if ! command -v postgres >/dev/null 2>&1 && ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then \
		echo "installing Postgres"; \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql; } \
			|| { echo "The store's tests need Postgres 13 or newer, and it could not be installed: see https://www.postgresql.org/download" >&2; exit 1; }; \
	fi

# go checks the compiler; deps fetches what the tests need, before their clocks
# start to run.
.PHONY: go
go:
	@command -v $(GO) >/dev/null 2>&1 || { echo "Pawl needs Go 1.26 or newer, and '$(GO)' was not found: see https://go.dev/dl" >&2; exit 1; }
	@v=$$($(GO) env GOVERSION 2>/dev/null) || v=$$(GOTOOLCHAIN=local $(GO) version | awk '{ print $$3 }'); \
	echo "$$v" | awk '{ sub(/^go/, ""); split($$0, p, /[^0-9]+/); exit !(p[1] > 1 || (p[1] == 1 && p[2] >= 26)) }' \
		|| { echo "Pawl needs Go 1.26 or newer, and this is $$v: see https://go.dev/dl" >&2; exit 1; }

.PHONY: deps
deps: go node postgres
	@for dir in . tools $(NESTED); do $(GO) -C $$dir mod download; done

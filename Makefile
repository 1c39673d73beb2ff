# The commands for this package. `make` lists those that a newcomer needs, marked ##; `make all-commands` also those marked #:.

SWIFT ?= swift
PREFIX ?= /usr/local
# Warnings in our own targets are errors for the tests; `make test STRICT=` lets them pass.
STRICT ?= -Xswiftc -warnings-as-errors
# A release build without optimisation: it compiles each module once, and its programs start in a sixth of the time, because in a debug
# build the option parser checks all its declarations at each start. Debug information has lines only, and the interface of a module is
# compiled with its code instead of a second time beside it.
QUICK = -c release -Xswiftc -Onone -Xcc -O0 -Xcc -gline-tables-only -Xswiftc -gline-tables-only -Xswiftc -no-emit-module-separately-wmo $(if $(filter Linux,$(shell uname -s)),-Xswiftc -use-ld=lld)
# What `make demo` and the other commands to try the program build.
TRY_BUILD = --scratch-path .build/try --disable-default-traits $(QUICK)
# The tests use other compiler flags, so they have a build folder of their own. Tests/XCTMain.swift starts them, so no index is needed to
# find them.
TEST_BUILD = --scratch-path .build/test --disable-index-store --traits Postgres $(STRICT) $(QUICK) -Xswiftc -enable-testing
# Package.swift optimises a few modules for the tests.
TEST_SWIFT = BELLEROPHON_TESTING=1 $(SWIFT)
# What a package that depends on the libraries builds, without the server. Lint shows that no target of the client depends on the trait.
CLIENT_BUILD = --scratch-path .build/client --disable-default-traits $(STRICT)
# The programs use every library.
CLIENT_PRODUCTS = bellerophon $(notdir $(patsubst %/,%,$(wildcard Examples/*/)))
# What is installed carries Swift's libraries with it: it runs on machines without Swift, and draws its first frame in
# two thirds of the time. `make install STATIC=` links to the toolchain's. (Apple's systems have them.)
STATIC ?= $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
# The program looks for no library beside itself and contains no path of the build machine.
RELEASE_BUILD = -c release $(STATIC) --disable-local-rpath -Xcc -ffile-prefix-map="$(CURDIR)"=.
BENCHMARK_BUILD = $(RELEASE_BUILD) --scratch-path .build/benchmark
# Optimised and instrumented for libFuzzer; the fuzzer tests internals, as the unit tests do.
FUZZ_BUILD = --package-path Tests/Fuzz --scratch-path .build/fuzz/build -c release --sanitize=fuzzer -Xswiftc -enable-testing
# The surfaces that make fuzz tests, and the seconds for each.
SECONDS ?= 60
TARGETS ?= $(notdir $(wildcard Tests/Fuzz/Corpus/*))

# Of each process of tests, at most as many tests run at a time.
TEST_WIDTH = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# The built tests, as a program.
TEST_BUNDLE = "$$($(TEST_SWIFT) build $(1) --show-bin-path)/bellerophonPackageTests.xctest"
# What the tests need beside the libraries of the build.
TEST_LIBRARIES = libncurses-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev libvterm-dev
RUN_TESTS = $(TEST_WIDTH) Scripts/run-tests.py $(call TEST_BUNDLE,$(TEST_BUILD))
TEST_TOOLS = postgresql curl tmux python3 dpkg-dev binutils vim nano htop less screen xterm xvfb mosh

# The formatter of another release breaks lines differently; `make lint` then says so and does not use it.
FORMATTER = 6.3
FORMATTED = --recursive --parallel Package.swift Sources Tests Benchmarks Examples

INSTALL = Scripts/install-packages.sh
# The screen needs a UTF-8 locale, and a fresh machine or container has none. A locale that is set is kept.
LOCALE = $(if $(LC_ALL)$(LC_CTYPE)$(LANG),,LC_CTYPE=C.UTF-8)

# The build of both programs for packages, as in `make install-server`.
DIST_BUILD = $(RELEASE_BUILD)
# The output folder of make dist, and the project's facts in the formula and the packages.
DIST ?= dist
RELEASE_URL ?=
HOMEPAGE ?=
MAINTAINER ?=

# The store of `make server`.
STORE ?= .bellerophon

.DEFAULT_GOAL := help

.PHONY: help all-commands demo guard-demo run server cluster cluster-test guard-test build release install install-server uninstall client dist dist-test test test-tools test-busy build-tests proof proof-suites random-tests planted-faults console-test lint format docs api-check mutations plans soak sanitize fuzz benchmark screenshots tape clean toolchain

all-commands: ## List all commands
help: MARKS = \#
all-commands: MARKS = \#:
help all-commands:
	@awk -F ':.*#[$(MARKS)] ' '/^[a-z-]+:.*#[$(MARKS)] / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

demo: build ## Try it: a full-screen program against a simulated server
	@exec env $(LOCALE) "$$($(SWIFT) build $(TRY_BUILD) --show-bin-path)/bellerophon" demo

guard-demo: build ## Show it over an editor: a simulated server beside it pauses the editor
	@$(INSTALL) tmux
	@command -v vim >/dev/null || command -v nano >/dev/null || command -v vi >/dev/null || $(INSTALL) nano
	@env $(LOCALE) Scripts/guard-demo.sh "$$($(SWIFT) build $(TRY_BUILD) --show-bin-path)/bellerophon"

run: build ## Watch a real status: make run STATUS_URL=https://example.com/status
	@exec env $(LOCALE) "$$($(SWIFT) build $(TRY_BUILD) --show-bin-path)/bellerophon" run $(if $(STATUS_URL),--status-url "$(STATUS_URL)")

server: toolchain ## Serve statuses and resources: make server STORE=.bellerophon PORT=8080
	@$(INSTALL) libcurl4-openssl-dev libssl-dev libsqlite3-dev
	@$(SWIFT) build --product bellerophon-server
	@program="$$($(SWIFT) build --show-bin-path)/bellerophon-server"; \
	    echo "Publish from another terminal:"; \
	    echo "  $$program kill --store '$(STORE)' --message 'Back soon.'"; \
	    echo "  $$program restore --store '$(STORE)'"; \
	    echo "Watch: make run STATUS_URL=http://127.0.0.1:$${PORT:-8080}/status"; \
	    exec "$$program" serve --create --store '$(STORE)'

cluster: toolchain #: Try two servers that share a store in PostgreSQL with a standby, behind nginx
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev postgresql curl
	@$(SWIFT) build --traits Postgres --product bellerophon-server
	@$(SWIFT) build --traits Postgres --product bellerophon
	@nginx=$$(Scripts/fetch-nginx.sh .build/nginx) && folder="$$($(SWIFT) build --traits Postgres --show-bin-path)" && \
	    env $(LOCALE) deploy/cluster.sh "$$folder/bellerophon-server" "$$nginx" "$$folder/bellerophon"

cluster-test: toolchain #: Take parts of such clusters away and check what holds: make cluster-test ROUNDS=200 SEED=1
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev postgresql curl python3
	@$(TEST_SWIFT) build $(TEST_BUILD) --product bellerophon-server
	@$(TEST_SWIFT) build $(TEST_BUILD) --product bellerophon
	@nginx=$$(Scripts/fetch-nginx.sh .build/nginx) && folder="$$($(TEST_SWIFT) build $(TEST_BUILD) --show-bin-path)" && \
	    deploy/cluster.sh "$$folder/bellerophon-server" "$$nginx" --check && \
	    python3 -B Scripts/chaos "$$folder/bellerophon-server" "$$folder/bellerophon" --rounds $(or $(ROUNDS),200) \
	        $(if $(SEED),--seed $(SEED))

guard-test: toolchain #: Pause and end trees of processes at random moments: make guard-test ROUNDS=500 SEED=1 PROCESSES=200
	@$(INSTALL) $(TEST_LIBRARIES) python3
	@$(TEST_SWIFT) build $(TEST_BUILD) --product bellerophon
	@$(TEST_SWIFT) build $(TEST_BUILD) --product TreeProbe
	@folder="$$($(TEST_SWIFT) build $(TEST_BUILD) --show-bin-path)" && \
	    python3 -B Scripts/guard-rounds "$$folder/bellerophon" "$$folder/TreeProbe" --rounds $(or $(ROUNDS),500) \
	        --processes $(or $(PROCESSES),200) $(if $(SEED),--seed $(SEED))

build: toolchain #: Build the command to try it
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev
	@$(SWIFT) build $(TRY_BUILD) --product bellerophon

release: toolchain #: Build the command with optimisation
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev
	@$(SWIFT) build $(RELEASE_BUILD) --disable-default-traits --product bellerophon

install: release ## Install the command: make install PREFIX=/usr/local
	@Scripts/install-files.sh install bellerophon \
	    "$$($(SWIFT) build $(RELEASE_BUILD) --disable-default-traits --show-bin-path)/bellerophon" "$(DESTDIR)$(PREFIX)"
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/bellerophon"

install-server: toolchain #: Install the server: make install-server PREFIX=/usr/local
	@$(INSTALL) libcurl4-openssl-dev libssl-dev libsqlite3-dev
	@$(SWIFT) build $(RELEASE_BUILD) --product bellerophon-server
	@Scripts/install-files.sh install bellerophon-server \
	    "$$($(SWIFT) build $(RELEASE_BUILD) --show-bin-path)/bellerophon-server" "$(DESTDIR)$(PREFIX)"
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/bellerophon-server"

uninstall: #: Remove what was installed
	@for name in bellerophon bellerophon-server; do \
	    Scripts/install-files.sh list $$name | while read -r file; do rm -f "$(DESTDIR)$(PREFIX)/$$file"; done; done

dist: toolchain #: Write packages for Linux, checksums and a bill of materials: make dist DIST=dist
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev python3 dpkg-dev binutils
	@$(SWIFT) build $(DIST_BUILD) --product bellerophon
	@$(SWIFT) build $(DIST_BUILD) --product bellerophon-server
	@Scripts/make-dist.py --products "$$($(SWIFT) build $(DIST_BUILD) --show-bin-path)" --output "$(DIST)" --swift "$(SWIFT)" \
	    $(if $(RELEASE_URL),--release-url "$(RELEASE_URL)") $(if $(HOMEPAGE),--homepage "$(HOMEPAGE)") \
	    $(if $(MAINTAINER),--maintainer "$(MAINTAINER)")

dist-test: dist #: Install, start and remove those packages in a bare Debian 12; needs root
	@$(INSTALL) debootstrap python3
	@$(if $(filter 0,$(shell id -u)),,sudo) Scripts/test-dist.sh "$(DIST)"

test: test-tools build-tests ## Run the tests; some of them: make test FILTER=SyncTests
	@nginx=$$(Scripts/fetch-nginx.sh .build/nginx || true); BELLEROPHON_NGINX=$$nginx $(RUN_TESTS) $(if $(FILTER),--filter '$(FILTER)')

test-busy: build-tests #: Run the tests beside busy loops and on one core: make test-busy RUNS=5 LOOPS=6
	@Scripts/test-busy.sh $(or $(RUNS),5) $(or $(LOOPS),6) $(MAKE) --no-print-directory test

test-tools: toolchain
	@$(INSTALL) $(TEST_LIBRARIES) $(TEST_TOOLS)

build-tests: toolchain #: Build everything that make test runs
	@$(INSTALL) $(TEST_LIBRARIES)
	@$(TEST_SWIFT) build --build-tests $(TEST_BUILD)

client: toolchain #: Build the libraries and programs without the server, as packages that depend on them do
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev
	@set -e; for product in $(CLIENT_PRODUCTS); do $(SWIFT) build $(CLIENT_BUILD) --product $$product; done

proof: toolchain #: Run what is too long for every change, in eight parts: make proof PART=3 SEED=1
	@Scripts/proof.sh $(or $(PART),all) $(SEED)

proof-suites: test-tools build-tests #: Run the suites that only the proof has: make proof-suites SEED=1
	@$(INSTALL) python3-venv pipx mc sqlite3 x11-apps
	@nginx=$$(Scripts/fetch-nginx.sh .build/nginx || true); BELLEROPHON_NGINX=$$nginx BELLEROPHON_PROOF_SEED=$(or $(SEED),1) \
	    $(RUN_TESTS) --proof --skip ConsoleBrowserProof --skip ProgramSoakProof

planted-faults: test-tools #: Show that the tests find each planted fault
	@SWIFT="$(SWIFT)" Scripts/planted-faults.sh

console-test: build-tests #: Kill and restore on the server's page /console, in a real browser by keyboard alone
	@$(INSTALL) chromium
	@$(RUN_TESTS) --proof --filter ConsoleBrowserProof

lint: toolchain ## Check format, documents and the manifest, without a build
	@$(INSTALL) python3
	@test "$$CI" != true || command -v node >/dev/null || $(INSTALL) nodejs
	@Scripts/lint.py --swift "$(SWIFT)" --formatter $(FORMATTER) --sources "$(FORMATTED)"

format: toolchain #: Format the sources as make lint expects them
	@$(SWIFT) format --in-place $(FORMATTED)

docs: toolchain #: Build the documentation of the libraries into .build/docs
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev python3
	@SWIFT="$(SWIFT)" Scripts/build-docs.sh .build/docs
	@echo "Look at it: docc preview, or serve .build/docs/Bellerophon.doccarchive"

api-check: toolchain #: Name the breaking changes of the public API since a version: make api-check BASE=0.1.0
	@$(SWIFT) package --scratch-path .build/api diagnose-api-breaking-changes $(or $(BASE),$(error give BASE=, a version or commit)) \
	    --products Bellerophon BellerophonTrust BellerophonCurses TerminalGuard Barricade CloudBox TerminalUI

random-tests: build-tests #: Run the suites that choose at random, with new seeds: make random-tests SEED=1
	@BELLEROPHON_PROOF_SEED=$(or $(SEED),1) $(RUN_TESTS) \
	    --filter "$$(grep -rlE 'Seed\.(of|range|proof)' Tests --include='*Tests.swift' | \
	        sed 's|.*/||; s|\.swift$$||' | paste -sd '|')"

mutations: build-tests #: Ask for mutated replies over real sockets: make mutations COUNT=20000
	@BELLEROPHON_MUTATIONS=$(or $(COUNT),20000) FAULT_FIGURES=1 $(RUN_TESTS) --filter ReplyTests

plans: build-tests #: Compare lint, matrix and both clients over random plans: make plans COUNT=10000 SEED=31
	@$(INSTALL) python3
	@BELLEROPHON_PLANS=$(or $(COUNT),10000) BELLEROPHON_PLAN_SEED=$(or $(SEED),31) $(RUN_TESTS) --filter PlanAgreementTests

soak: release build-tests #: Run the program against a hostile server: make soak MINUTES=10 SEED=1
	@$(INSTALL) tmux
	@BELLEROPHON_SOAK_PROGRAM="$$($(SWIFT) build $(RELEASE_BUILD) --show-bin-path)/bellerophon" \
	    BELLEROPHON_SOAK_MINUTES=$(or $(MINUTES),10) BELLEROPHON_SOAK_SEED=$(or $(SEED),1) \
	    $(RUN_TESTS) --proof --filter ProgramSoakProof

sanitize: test-tools #: Run the tests under the address and the thread sanitizer; one: make sanitize SANITIZERS=thread
	@for sanitizer in $(or $(SANITIZERS),address thread); do \
	    $(TEST_WIDTH) SWIFT="$(SWIFT)" Scripts/sanitize.sh $$sanitizer || exit 1; done

benchmark: toolchain #: Measure server and sync; some of it: make benchmark PARTS="status streams"
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev postgresql wrk python3 tmux htop btop binutils
	@$(SWIFT) build $(BENCHMARK_BUILD) --traits Postgres --product bellerophon-server
	@$(SWIFT) build $(BENCHMARK_BUILD) --traits Postgres --product bellerophon
	@$(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --product sync-resource
	@$(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --product bare-screen
	@$(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --product own-guard
	@$(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --product evaluate-rules
	@$(SWIFT) build -c release --scratch-path .build/benchmark/shared --package-path Benchmarks --product bare-screen
	@$(CC) -O2 -Wall -Wextra -o .build/benchmark/hold-streams Benchmarks/Tools/hold-streams.c
	@$(CC) -O2 -Wall -Wextra -o .build/benchmark/write-streams Benchmarks/Tools/write-streams.c
	@nginx=$$(Scripts/fetch-nginx.sh .build/nginx) && Benchmarks/benchmark.py $(PARTS) \
	    --server "$$($(SWIFT) build $(BENCHMARK_BUILD) --traits Postgres --show-bin-path)/bellerophon-server" \
	    --client "$$($(SWIFT) build $(BENCHMARK_BUILD) --traits Postgres --show-bin-path)/bellerophon" \
	    --sync "$$($(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --show-bin-path)/sync-resource" \
	    --bare "$$($(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --show-bin-path)/bare-screen" \
	    --own-guard "$$($(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --show-bin-path)/own-guard" \
	    --rules "$$($(SWIFT) build $(BENCHMARK_BUILD)/tools --package-path Benchmarks --show-bin-path)/evaluate-rules" \
	    --shared-bare "$$($(SWIFT) build -c release --scratch-path .build/benchmark/shared --package-path Benchmarks --show-bin-path)/bare-screen" \
	    --holder .build/benchmark/hold-streams --writer .build/benchmark/write-streams --nginx "$$nginx"

fuzz: toolchain #: Feed the parsers: make fuzz SECONDS=600 TARGETS="status sse"
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev
	@$(SWIFT) build $(FUZZ_BUILD) --product fuzz
	@program="$$($(SWIFT) build $(FUZZ_BUILD) --show-bin-path)/fuzz"; \
	    for surface in $(TARGETS); do \
	        mkdir -p .build/fuzz/corpus/$$surface .build/fuzz/crashes/$$surface; \
	        FUZZ_SURFACE=$$surface $$program -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	            -dict=Tests/Fuzz/Dictionaries/$$surface.dict -artifact_prefix=.build/fuzz/crashes/$$surface/ \
	            .build/fuzz/corpus/$$surface Tests/Fuzz/Corpus/$$surface || exit 1; \
	    done

screenshots: toolchain #: Take the pictures under screenshots/; some of them: make screenshots PICTURES="views signed"
	@$(INSTALL) libncurses-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev tmux xvfb xterm imagemagick curl python3 htop vim chromium fonts-dejavu-core \
	    fonts-noto-cjk fonts-unifont
	@$(SWIFT) build --product bellerophon
	@$(SWIFT) build --product bellerophon-server
	@folder="$$($(SWIFT) build --show-bin-path)"; \
	    Scripts/make-screenshots.sh "$$folder/bellerophon" "$$folder/bellerophon-server" $(PICTURES)

tape: build #: Take the recording under screenshots/, which asciinema plays
	@$(INSTALL) tmux
	@Scripts/make-tape.sh "$$($(SWIFT) build $(TRY_BUILD) --show-bin-path)/bellerophon" screenshots/tour.cast

clean: #: Remove everything that was built
	@rm -rf .build

toolchain:
	@command -v $(SWIFT) >/dev/null 2>&1 || { \
	    echo "error: no Swift toolchain: '$(SWIFT)' is not on the PATH." >&2; \
	    echo "       Install Swift 6.2 or later from https://www.swift.org/install, then try again." >&2; \
	    exit 1; }

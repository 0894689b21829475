# Everything that is done with this repository, by name.

SHELL := /bin/bash

# The C libraries that backends need: the name of the package of Debian and Ubuntu, then that of pkg-config.
LIBRARIES := zlib1g-dev:zlib libsqlite3-dev:sqlite3 liblmdb-dev:lmdb librocksdb-dev:rocksdb libssl-dev:openssl

# What only the tests need: the name of the package, then that of the program.
PROGRAMS := redis-server:redis-server openssl:openssl

# All Swift code, in the package and in those that belong to it.
SOURCES := $(wildcard Package.swift Sources Plugins Tests Examples Benchmarks)

# Runs the tests that were built, some at a time: if all that can run did, those that must end in time would starve on a
# small machine. Of what passed only the suites are shown; .build/tests.log has it all.
WIDTH := --experimental-maximum-parallelization-width 8
define run
	@echo "swift test $(1)"; set -o pipefail; \
	$(2) swift test --skip-build --disable-xctest $(WIDTH) $(1) 2>&1 | tee .build/tests.log | \
	  sed -e '/Test run/b' -e '/^◇ Test case/d' -e '/started\.$$/d' -e '/Test .* passed after/d'
endef

# ThreadSanitizer does not know Swift's own lock on Linux; the flag puts another in its place.
# The usual linker warns of hundreds of symbols of AddressSanitizer; lld does not.
THREAD := --scratch-path .build/thread --sanitize=thread -Xswiftc -DSTRATA_PTHREAD_LOCK
ADDRESS := --scratch-path .build/address --sanitize=address -Xswiftc -use-ld=lld

# The fuzzer is one program of the core, the disk store and what is done with each input; libFuzzer comes with Swift for Linux.
FUZZ_SECONDS := 60
FUZZ := .build/fuzz
FUZZ_FLAGS := -O -parse-as-library -swift-version 6 -package-name strata -DSTRATA_FUZZER \
	$(addprefix -enable-upcoming-feature ,NonisolatedNonsendingByDefault InternalImportsByDefault MemberImportVisibility ExistentialAny)

.PHONY: help demo test bench sanitize fuzz lint format deps clean

help: ## Lists what there is to make
	@sed -nE 's/^([a-z]+):[^#]*## (.*)/  make \1	\2/p' Makefile | expand -t 18

demo: deps ## Shows a typed store at work
	@swift run --package-path Examples Quickstart

test: deps ## Proves it: builds everything, runs the tests, and uses the package as others do
	swift build --build-tests
	swift build --package-path Examples
	swift build --build-tests --package-path Benchmarks
	@set -e; for check in Tests/Scripts/*.sh; do $$check; done
	$(call run)
	$(call run,--package-path Benchmarks)

# The program is built as a user's would be. It needs traces of real programs for what a cache keeps, which do not belong
# to this repository: make bench TRACES=folder. Benchmarks/README.md describes the folder.
bench: deps ## Measures it all, in some minutes, and writes Benchmarks/Results.md
	swift build --package-path Benchmarks --configuration release --product strata-bench
	Benchmarks/.build/release/strata-bench all --output Benchmarks/Results.md \
	  $(if $(TRACES),--traces "$(TRACES)")

# Both run all tests. A report ends the run at once, and fails it.
sanitize: deps ## Runs the tests under ThreadSanitizer and under AddressSanitizer
	swift build --build-tests $(THREAD)
	$(call run,$(THREAD),TSAN_OPTIONS=halt_on_error=1)
	swift build --build-tests $(ADDRESS)
	$(call run,$(ADDRESS),LSAN_OPTIONS=suppressions=.sanitize/leaks.txt:print_suppressions=0)

fuzz: ## Throws damaged logs at the disk store, for FUZZ_SECONDS=60
	@mkdir -p $(FUZZ)/seeds $(FUZZ)/corpus
	swiftc $(FUZZ_FLAGS) -module-name StrataCore -emit-module -emit-module-path $(FUZZ)/StrataCore.swiftmodule \
	  -emit-library -o $(FUZZ)/libStrataCore.so $$(find Sources/StrataCore -name '*.swift')
	clang -O2 -fsanitize=address -I Sources/CWideHash/include -c Sources/CWideHash/wide_hash.c -o $(FUZZ)/wide_hash.o
	printf 'module CWideHash { umbrella header "%s/wide_hash.h" }\n' $(abspath Sources/CWideHash/include) \
	  > $(FUZZ)/module.modulemap
	swiftc $(FUZZ_FLAGS) -module-name DiskFuzzer -sanitize=fuzzer,address -I $(FUZZ) -L $(FUZZ) -lStrataCore \
	  $(FUZZ)/wide_hash.o -Xlinker -rpath -Xlinker $(abspath $(FUZZ)) -o $(FUZZ)/DiskFuzzer \
	  $$(find Sources/StrataDisk -name '*.swift') Tests/StrataDiskTests/Faults/LogFuzz.swift
	folder=$$(mktemp -d -p $(firstword $(wildcard /dev/shm) /tmp)); \
	STRATA_FUZZ_SEEDS=$(FUZZ)/seeds TMPDIR=$$folder $(FUZZ)/DiskFuzzer -max_total_time=$(FUZZ_SECONDS) \
	  -max_len=8192 -detect_leaks=0 -print_final_stats=1 -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus $(FUZZ)/seeds; \
	status=$$?; rm -rf $$folder; exit $$status

lint: ## Checks the style of all Swift code
	swift format lint --strict --parallel --recursive $(SOURCES)

format: ## Formats all Swift code
	swift format --in-place --parallel --recursive $(SOURCES)

# Fetches nothing if all is there. Elsewhere than on Debian and its kin it only says what to install.
deps: ## Installs the C libraries and programs that are missing, and pkg-config, by which Swift finds the libraries
	@missing=; \
	command -v pkg-config >/dev/null || missing=pkg-config:pkg-config; \
	for library in $(LIBRARIES); do \
	  if command -v dpkg-query >/dev/null; then \
	    dpkg-query -W -f '$${db:Status-Status}' $${library%:*} 2>/dev/null | grep -qx installed; \
	  else \
	    command -v pkg-config >/dev/null && pkg-config --exists $${library#*:}; \
	  fi || missing="$$missing $$library"; \
	done; \
	for program in $(PROGRAMS); do \
	  command -v $${program#*:} >/dev/null || missing="$$missing $$program"; \
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

clean: ## Deletes all that was built
	rm -rf .build Examples/.build Benchmarks/.build

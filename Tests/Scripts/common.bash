# Code that the checks share. Each check is a script that prints what holds, and fails with the reason if it does not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The packages that the checks create. They use Strata's build folder, so that nothing is built twice.
consumers=.build/consumers
products=.build/debug
mkdir -p "$consumers"

# build <folder of a package> <option> …: builds a package.
build() { Tests/build --package-path "$@"; }

# tests <name of a package> <its folder>: runs the tests of a package that has been built. Elsewhere than on Linux they
# are a bundle, which SwiftPM has to load.
tests() {
  if [ "$(uname)" = Linux ]; then
    "$products/$1PackageTests.xctest" --testing-library swift-testing
  else
    swift test --scratch-path .build --package-path "$2" --skip-build --disable-xctest
  fi
}

# check <what holds> <command> …: runs a command and prints whether it succeeded.
check() {
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $what"
  else
    echo "FAILED  $what"
    sed 's/^/        /' <<<"$output"
    exit 1
  fi
}

# fails <text> <command> …: succeeds if the command fails and its output contains the text.
fails() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then return 1; fi
  grep -F "$text" <<<"$output"
}

# code <page>: prints the code of a page, also that in a list.
code() { sed -nE '/^ *```swift$/,/^ *```$/{/^ *```/!p}' "$1"; }

# examples <folder> …: prints the examples in the comments and the READMEs of folders as a source. Each is a function,
# or members of a type if it has tests. Lines about dependencies belong in a manifest.
examples() {
  find "$@" -name '*.swift' -o -name README.md | sort | xargs awk '
    FNR == 1 {
      name = FILENAME
      if (name !~ /README.md$/) sub(/.*\//, "", name)
      sub(/\.(swift|md)$/, "", name)
      gsub(/[^A-Za-z0-9]/, "_", name)
      isComment = FILENAME ~ /swift$/
    }
    {
      line = $0
      if (isComment) {
        if (line !~ /^ *\/\/\//) { isCode = 0; next }
        sub(/^ *\/\/\/ ?/, "", line)
      }
    }
    line == "```swift" { isCode = 1; start = FNR + 1; code = ""; next }
    line == "```" && isCode {
      isCode = 0
      if (code ~ /^\.product/) next
      effect = code ~ /await / ? " async" : ""
      open = code ~ /@Test/ ? "struct Tests" : "static func line" start "()" effect " throws"
      if (!(name in known)) print "enum In_" name " {}"
      known[name] = 1
      printf "extension In_%s {\n%s%s {\n", name, open, open ~ /struct/ ? start : ""
      printf "#sourceLocation(file: \"%s\", line: %d)\n%s#sourceLocation()\n}\n}\n", FILENAME, start, code
    }
    isCode { sub(/^(@testable )?import .*/, "", line); code = code line "\n" }
  '
}

# atHome <program> <argument> …: runs a program with user folders of its own, for at most a minute. Its proxy is a port
# that nothing listens on, so that no request leaves the machine.
home=$PWD/$consumers/home
atHome() {
  HOME=$home XDG_CACHE_HOME=$home/caches XDG_DATA_HOME=$home/data TMPDIR=$home https_proxy=http://127.0.0.1:9 \
    timeout 60 "$products/$1" "${@:2}"
}
emptyHome() {
  rm -rf "$home"
  mkdir -p "$home"
}

# says <source> <option of swiftc> …: type-checks a file, and succeeds if each line that ends with `// says: text` has a
# warning, an error or a note with that text.
says() {
  local source=$1 number text output
  shift
  output=$(swiftc -typecheck -swift-version 6 -diagnostic-style llvm -I .build/debug/Modules -I Sources/CZlib \
    -I Sources/CFutex \
    -Xcc -fmodule-map-file=.build/debug/CWideHash.build/module.modulemap "$@" "$source" 2>&1) || true
  while IFS=: read -r number text; do
    text=${text#*// says: }
    if ! grep -F "$source:$number:" <<<"$output" | grep -qF -- "$text"; then
      printf '%s:%s: the compiler does not say: %s\n%s\n' "$source" "$number" "$text" "$output"
      return 1
    fi
  done < <(grep -n '// says: ' "$source" | sed 's/^\([0-9]*\):.*\/\/ says: /\1:\/\/ says: /')
}

# package <folder> <path of Strata, from there> <product>: creates a package with an executable App, whose source is
# read from standard input.
package() {
  mkdir -p "$1/Sources/App"
  cat >"$1/Sources/App/main.swift"
  cat >"$1/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "$2")],
  targets: [.executableTarget(name: "App", dependencies: [.product(name: "$3", package: "Strata")])]
)
END
}

# What `swiftc` needs to type-check a program against the modules that are built, as an array.
typecheck=(-typecheck -parse-as-library -suppress-warnings -swift-version 6 -I .build/debug/Modules)
for map in $(find Sources Plugins Benchmarks/Libraries .build/debug/CWideHash.build -name module.modulemap); do
  typecheck+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift)); do
  typecheck+=(-Xcc "$flag")
done

#!/usr/bin/env bash
# Tests/lint accepts right pages and comments, and rejects each fault that it exists for, with its file and line.
source "$(dirname "$0")/common.bash"

# A repository with the checker and one right file of each kind.
pages=$consumers/lint
rm -rf "$pages"
mkdir -p "$pages"/{Tests,Sources/Store,Documentation/Site/Modules}
cp Tests/lint "$pages/Tests/"
long=$(printf 'word %.0s' {1..25})

cat >"$pages/README.md" <<END
# A store: [its file](Sources/Store/Store.swift)

A [page](Documentation/Page.md), [its part](Documentation/Page.md#two-words), [a part of this page](#a-store-its-file),
and \`[no](link)\`.

| $long |
|---|

https://example.org/$(printf 'path/%.0s' {1..30})

\`\`\`text
$(printf 'code%.0s' {1..40}) [no](link)
\`\`\`
END
printf '# Page\n\n## Two words\n' >"$pages/Documentation/Page.md"
cat >"$pages/Sources/Store/Store.swift" <<'END'
/// Stores entries.
///
/// ```swift
/// let store = Store()
/// ```
public struct Store {}
END
printf '# Store\n\n- ``Store``\n' >"$pages/Documentation/Site/Modules/Store.md"
printf '# Prints nothing.\n' >"$pages/script.sh"
git -C "$pages" init --quiet

# Reads the commands of the checker from its repository, not from this one.
linted() {
  git -C "$pages" add --all
  "$pages/Tests/lint"
}
check "right pages and comments have no faults" linted

# rejects <file:line> <text of the fault> <file> <text>: succeeds if adding the text to a file makes that fault, and no
# other one.
rejects() {
  local place=$1 fault=$2 file=$pages/$3 text=$4 output status=0
  [ ! -e "$file" ] || cp "$file" "$consumers/lint.kept"
  printf '%b' "$text" >>"$file"
  output=$(linted) || status=$?
  if [ -e "$consumers/lint.kept" ]; then mv "$consumers/lint.kept" "$file"; else rm "$file"; fi
  if [ $status -ne 1 ] || [[ $output != "$place: "*"$fault"* ]] || [ "$(wc -l <<<"$output")" -ne 1 ]; then
    echo "exit $status: $output"
    return 1
  fi
}

check "a line of a page that is too long is found" \
  rejects Wrong.md:1 "125 columns" Wrong.md "$long\n"
check "a comment of Swift that is too long is found" \
  rejects Sources/Store/Wrong.swift:2 columns Sources/Store/Wrong.swift "\n// $long\n"
check "a comment of C that is too long is found" rejects wrong.h:1 columns wrong.h "// $long\n"
check "a comment of a script that is too long is found" rejects script.sh:2 columns script.sh "# $long\n"
check "a link to a file that does not exist is found" \
  rejects Wrong.md:2 "leads to no file" Wrong.md "# Wrong\n[page](Documentation/Pages.md)\n"
check "a link with a title to a file that does not exist is found" \
  rejects Wrong.md:1 "leads to no file" Wrong.md '[page](Pages.md "The pages")\n'
check "a link in a definition to a file that does not exist is found" \
  rejects Wrong.md:3 "leads to no file" Wrong.md 'A [page][1].\n\n[1]: Pages.md\n'
check "a link to a heading that does not exist is found" \
  rejects Wrong.md:1 "leads to no heading" Wrong.md "[part](Documentation/Page.md#three-words)\n"
check "a link to a heading of the same page that does not exist is found" \
  rejects Wrong.md:2 "leads to no heading" Wrong.md "# Wrong\n[part](#right)\n"
check "a link to the only heading of its name as if there were two is found" \
  rejects Wrong.md:1 "leads to no heading" Wrong.md "[part](Documentation/Page.md#two-words-1)\n"
check "a block of code without a language is found" \
  rejects Wrong.md:2 "does not say its language" Wrong.md "# Wrong\n\`\`\`\ncode\n\`\`\`\n"
check "a block of code that is not closed is found" \
  rejects Wrong.md:3 "is not closed" Wrong.md "\n\n\`\`\`swift\ncode\n"
check "a public type without an example is found" \
  rejects Sources/Store/Wrong.swift:2 "has no example" Sources/Store/Wrong.swift "/// Stores.\npublic struct Store {}\n"
check "a public type without a link on the page of its product is found" \
  rejects Sources/Store/Wrong.swift:4 "does not link to Wrong" Sources/Store/Wrong.swift \
  "/// \`\`\`swift\n/// Wrong()\n/// \`\`\`\npublic final class Wrong {}\n"

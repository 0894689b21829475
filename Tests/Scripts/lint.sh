#!/usr/bin/env bash
# Tests/lint and Tests/figures.py accept right pages and comments, and reject each fault that they exist for, with its
# file and line.
source "$(dirname "$0")/common.bash"

# A repository with the checker and one right file of each kind.
pages=$consumers/lint
rm -rf "$pages"
mkdir -p "$pages"/{Benchmarks,Tests,Sources/Store,Documentation/Site/Modules}
cp Tests/{lint,figures.py} "$pages/Tests/"
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
cat >"$pages/Documentation/Page.md" <<'END'
# Page

A hit takes 121 ns, a seventh of `NSCache`'s time, and a miss 1.2 µs.

| store | time |
|---|---|
| memory | 0.14 × |

<!-- figures
Chain / Hit / Storage / ns
Chain / Hit / NSCache : Storage / ns
Chain / Miss / 1000 / Storage / ns
Chain / Hit / Storage : NSCache / ns
-->

```text
7 ns
```

A second has 1000000 µs.

<!-- not figures: units -->

## Two words
END
cat >"$pages/Benchmarks/Results.json" <<'END'
{"reports": [{"title": "Chain", "sections": [
  {"title": "Hit", "table": {"columns": [{"name": "store"}, {"name": "ns"}], "rows": [["Storage", 121.4], ["NSCache", 848]]}},
  {"title": "Miss", "table": {"columns": [{"name": "entries"}, {"name": "store"}, {"name": "ns"}], "rows": [
    [1000, "Storage", 1230], [2000, "Storage", null]]}}
]}]}
END
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
  local status=0
  git -C "$pages" add --all
  "$pages/Tests/lint" || status=1
  "$pages/Tests/figures.py" || status=1
  return $status
}
check "right pages, comments and figures have no faults" linted

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

# figure <figure> <cell> <fault>: succeeds if a page with that figure, tied to a cell of the data, has that fault.
figure() { rejects Wrong.md:"${4:-2}" "$3" Wrong.md "# Wrong\nIt takes $1.\n\n<!-- figures\n$2\n-->\n"; }
check "a figure that is not tied to the data is found" \
  rejects Wrong.md:2 "the figure 121 ns is tied to no cell" Wrong.md "# Wrong\nIt takes 121 ns.\n## Next\n"
check "a figure that differs from the data is found" figure "93 ns" "Chain / Hit / Storage / ns" "93 ns is 121.4 in the data"
check "a quotient that differs from the data is found" \
  figure "7.2 ×" "Chain / Hit / NSCache : Storage / ns" "7.2 × is 6.985 in the data"
check "a fraction in words that differs from the data is found" \
  figure "an eighth of \`NSCache\`'s time" "Chain / Hit / NSCache : Storage / ns" "an eighth of is 6.985"
for weight in "93 s of a processor" "93.5 MB"; do
  check "a figure that differs from the data is found: $weight" \
    figure "$weight" "Chain / Hit / Storage / ns" "$weight is 121.4 in the data"
done
check "a figure without a line is found" figure "121 ns, or 121 ns" "Chain / Hit / Storage / ns" "1 lines for 2 figures" 4
check "a line that names no section is found" figure "121 ns" "Chain / Write / Storage / ns" "no section Write of Chain" 4
check "a line that names no row is found" figure "121 ns" "Chain / Hit / Disk / ns" "0 rows Disk" 4
check "a line that names no column is found" figure "121 ns" "Chain / Hit / Storage / µs" "no column µs" 4
check "a line that names an empty cell is found" \
  figure "121 ns" "Chain / Miss / 2000 / Storage / ns" "the cell is not a number" 4
check "an exception without a reason is found" \
  rejects Wrong.md:2 "is tied to no cell" Wrong.md "# Wrong\nIt takes 121 ns.\n<!-- not figures: -->\n"
check "a figure in a doc comment is found" \
  rejects Sources/Store/Wrong.swift:2 "a doc comment with the figure 121 ns" Sources/Store/Wrong.swift \
  "\n/// It takes 121 ns.\n"

#!/usr/bin/env bash
# Synchronous variants are generated from the asynchronous ones, and `make lint` finds those that are not up to date.
source "$(dirname "$0")/common.bash"

folder=$consumers/twins
sources=$folder/Sources/Module
rm -rf "$folder"
mkdir -p "$sources"
cat >"$sources/Cup+Async.swift" <<'END_OF_SOURCE'
// sync: extension Cup: SyncStorageAware where Base: SyncStorageAware {
extension Cup {
  /// Waits, as `async` code does: await the value.
  @usableFromInline  // sync: @inlinable
  func drink(_ sip: () async throws -> Void) async rethrows { try await sip() }

  func pages() async throws {
    // sync: try base.forEachPage { page in
    for try await page in base.pages() {
      if let store = base as? any ConditionalStorage<Int, Int> { try await store.set(page) }
    }
  }
}
END_OF_SOURCE
cat >"$folder/expected" <<'END_OF_TWIN'
// Generated from Cup+Async.swift by `make twins`.
extension Cup: SyncStorageAware where Base: SyncStorageAware {
  /// Waits, as `async` code does: await the value.
  @inlinable
  func drink(_ sip: () throws -> Void) rethrows { try sip() }

  func pages() throws {
    try base.forEachPage { page in
      if let store = base as? any SyncConditionalStorage<Int, Int> { try store.set(page) }
    }
  }
}
END_OF_TWIN

twins() { Tests/twins.py "$@" "$folder"; }
stale="Sources/Module/Cup+Sync.swift: not what Sources/Module/Cup+Async.swift generates; change that file, then run \`make twins\`"

check "a missing twin is found" fails "$stale" twins --check
check "a twin is generated from its source" twins
check "it is the source without await, with what the marks say" cmp "$folder/expected" "$sources/Cup+Sync.swift"
check "a twin that is up to date is accepted" twins --check
echo "extension Cup {}" >>"$sources/Cup+Sync.swift"
check "a twin that was changed by hand is found" fails "$stale" twins --check
twins
echo "extension Cup {}" >>"$sources/Cup+Async.swift"
check "a twin whose source was changed is found" fails "$stale" twins --check
twins
rm "$sources/Cup+Async.swift"
check "a twin without a source is found" fails "Sources/Module/Cup+Sync.swift: no file" twins --check
printf '// sync: text\n' >"$sources/Cup+Async.swift"
check "a mark that belongs to no line is found" fails "the last mark belongs to no line" twins --check
check "the twins of this repository are up to date" Tests/twins.py --check

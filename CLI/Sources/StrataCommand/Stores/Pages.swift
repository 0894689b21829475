import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the entries of a store in pages of bounded memory. A page has the requested number of entries, or fewer if
/// they take about 4 MB.
struct Pages: Sendable {
  /// An entry with its key.
  typealias Item = (key: String, entry: Entry<Data>)

  private let store: OpenStore
  private let pattern: Pattern?
  private var cursor: KeyCursor?
  private var hasEnded = false
  /// Keys that the store has listed, and whose entries have not been read yet.
  private var listed: ArraySlice<String> = []
  /// The number of bytes after which a page ends.
  private let pageBytes: Int
  /// The number of entries of the next read. It follows the sizes of the entries read so far, and begins small because
  /// no size is known.
  private var share = 16
  private let largestShare: Int
  /// Whether large values are left out of the pages.
  private let separatesLarge: Bool
  /// The keys of large values that were left out, until `takeLarge` returns them.
  private var large: [String] = []

  /// - Parameter separatesLarge: Whether large values are left out of the pages, and `takeLarge` returns their keys.
  init(
    of store: OpenStore, matching pattern: Pattern? = nil, bytes: Int = 4 << 20, separatesLarge: Bool = false
  ) {
    self.store = store
    self.pattern = pattern
    self.separatesLarge = separatesLarge
    pageBytes = max(1, bytes)
    // Many small values may be followed by as many that are just not large.
    largestShare = separatesLarge ? min(16, store.readBatch) : store.readBatch
  }

  /// Returns the keys of the large values that pages have left out since the last call.
  mutating func takeLarge() -> [String] {
    defer { large = [] }
    return large
  }

  /// Returns the next keys that match the pattern, or `nil` after the last key. Returns an empty array only if the
  /// command was interrupted.
  mutating func nextKeys(_ limit: Int = 1000) async throws -> [String]? {
    while !hasEnded {
      let page = try await store.storage.keyPage(after: cursor, limit: limit)
      cursor = page.next
      hasEnded = page.next == nil
      let keys = pattern.map { pattern in page.keys.filter(pattern.matches) } ?? page.keys
      // A search without matches has to end too when the command is interrupted.
      if !keys.isEmpty || Signals.pending != nil { return keys }
    }
    return nil
  }

  /// Returns at most `count` next entries that have not expired, in the order in which the store lists them, or `nil`
  /// after the last one. May return an empty array if the command was interrupted. Damaged entries are skipped.
  mutating func next(_ count: Int = 1000) async throws -> [Item]? {
    var items: [Item] = []
    var bytes = 0
    let clock = store.storage.clock
    while items.count < count, bytes < pageBytes, large.isEmpty {
      if listed.isEmpty {
        guard let keys = try await nextKeys(min(count, 1000)) else { return items.isEmpty ? nil : items }
        if keys.isEmpty { return items }
        listed = keys[...]
      }
      let keys = Array(listed.prefix(min(share, count - items.count)))
      listed = listed.dropFirst(keys.count)
      let entries: [String: Entry<Data>]
      if separatesLarge {
        (entries, large) = try await store.smallEntries(forKeys: keys)
      } else {
        entries = try await store.entries(forKeys: keys)
      }
      let start = items.count
      for key in keys {
        guard let entry = entries[key], !entry.expiry.isExpired(by: clock) else { continue }
        items.append((key, entry))
      }
      let read = items[start...].byteCount
      bytes += read
      let fitting = keys.count * pageBytes / max(read, 1)
      share = min(largestShare, max(1, min(fitting, 4 * share)))
    }
    return items
  }

  /// Returns the number of keys that match a pattern. Lists all keys.
  static func count(of store: OpenStore, matching pattern: Pattern? = nil) async throws -> Int {
    var pages = Pages(of: store, matching: pattern)
    var count = 0
    while let keys = try await pages.nextKeys() {
      try Signals.check("counted \(Units.count(count)) keys")
      count += keys.count
    }
    return count
  }
}

extension Sequence<Pages.Item> {
  /// The number of bytes of all keys and values.
  var byteCount: Int { reduce(0) { $0 + $1.key.utf8.count + $1.entry.object.count } }
}

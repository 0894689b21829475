import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a store in pages of bounded memory: at most 1000 entries, and about 4 MB, whatever their sizes.
struct Pages: Sendable {
  /// An entry with its key.
  typealias Item = (key: String, entry: Entry<Data>)

  private let storage: any StorageAware<String, Data>
  private let pattern: Pattern?
  private var cursor: KeyCursor?
  private var hasEnded = false
  /// The keys that were listed and whose entries have not been read.
  private var listed: ArraySlice<String> = []
  /// The number of bytes that a page should have.
  private let pageBytes: Int
  /// The number of entries that are read together. Their sizes are unknown before, so it begins small.
  private var share = 16
  private let largestShare: Int

  init(of store: OpenStore, matching pattern: Pattern? = nil, bytes: Int = 4 << 20) {
    storage = store.storage
    self.pattern = pattern
    pageBytes = max(1, bytes)
    // A server answers once for all of them. Elsewhere a small share costs nothing, and large values that follow many
    // small ones take less memory.
    largestShare = store.path == nil ? 1000 : 64
  }

  /// Returns the next keys; `nil` after the last. If the command was interrupted, they may be none.
  mutating func nextKeys(_ limit: Int = 1000) async throws -> [String]? {
    while !hasEnded {
      let page = try await storage.keyPage(after: cursor, limit: limit)
      cursor = page.next
      hasEnded = page.next == nil
      let keys = pattern.map { pattern in page.keys.filter(pattern.matches) } ?? page.keys
      // Among many keys that do not match, the command comes to its next checkpoint.
      if !keys.isEmpty || Signals.pending != nil { return keys }
    }
    return nil
  }

  /// Returns the next entries that have not expired, in the order of their keys; `nil` after the last. If the command
  /// was interrupted, they may be none.
  mutating func next(_ count: Int = 1000) async throws -> [Item]? {
    var items: [Item] = []
    var bytes = 0
    let clock = storage.clock
    while items.count < count, bytes < pageBytes {
      if listed.isEmpty {
        guard let keys = try await nextKeys(min(count, 1000)) else { return items.isEmpty ? nil : items }
        if keys.isEmpty { return items }
        listed = keys[...]
      }
      let keys = Array(listed.prefix(min(share, count - items.count)))
      listed = listed.dropFirst(keys.count)
      let entries = try await storage.entries(forKeys: keys)
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

  /// Returns the number of keys.
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

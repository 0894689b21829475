import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The entries of a store in pages of bounded memory: about 4 MB of values, whatever their sizes.
struct Pages {
  /// An entry with its key.
  typealias Item = (key: String, entry: Entry<Data>)

  private let storage: any StorageAware<String, Data>
  private let pattern: Pattern?
  private var cursor: KeyCursor?
  private var hasEnded = false
  /// Keys that were listed and whose entries have not been read.
  private var listed: [String] = []
  private var limit = 64

  /// The bytes that a page should have.
  private static let pageBytes = 4 << 20

  init(of store: OpenStore, matching pattern: Pattern? = nil) {
    storage = store.storage
    self.pattern = pattern
  }

  /// Returns the next keys; `nil` after the last.
  mutating func nextKeys(_ limit: Int = 1000) async throws -> [String]? {
    while !hasEnded {
      let page = try await storage.keyPage(after: cursor, limit: limit)
      cursor = page.next
      hasEnded = page.next == nil
      let keys = pattern.map { pattern in page.keys.filter(pattern.matches) } ?? page.keys
      if !keys.isEmpty { return keys }
    }
    return nil
  }

  /// Returns the next entries that have not expired, in the order of their keys; `nil` after the last.
  mutating func next() async throws -> [Item]? {
    while true {
      if listed.isEmpty {
        guard let keys = try await nextKeys() else { return nil }
        listed = keys
      }
      let keys = Array(listed.prefix(limit))
      listed.removeFirst(keys.count)
      let entries = try await storage.entries(forKeys: keys)
      let bytes = entries.values.reduce(0) { $0 + $1.object.count }
      limit = min(1000, max(1, limit * Self.pageBytes / max(bytes, Self.pageBytes / 4)))
      let clock = storage.clock
      let items = keys.compactMap { key in
        entries[key].flatMap { $0.expiry.isExpired(by: clock) ? nil : (key: key, entry: $0) }
      }
      if !items.isEmpty { return items }
    }
  }

  /// Returns the number of keys.
  static func count(of store: OpenStore, matching pattern: Pattern? = nil) async throws -> Int {
    var pages = Pages(of: store, matching: pattern)
    var count = 0
    while let keys = try await pages.nextKeys() { count += keys.count }
    return count
  }
}

extension [Pages.Item] {
  /// The bytes of keys and values.
  var byteCount: Int { reduce(0) { $0 + $1.key.utf8.count + $1.entry.object.count } }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func paging() async throws {
    let store = try await open()
    try expect(try await pages(of: store, limit: 5).isEmpty, "an empty store has a page of keys")
    try await pagesOfAStoreAtRest(store)
    try await store.removeAll()
    try await pagesWhileOthersWrite(store)
  }

  private func pagesOfAStoreAtRest(_ store: Store) async throws {
    let objects = Dictionary(uniqueKeysWithValues: (0..<40).map { ("entry \($0)", text("\($0)")) })
    try await store.setObjects(objects, expiry: nil)
    try await store.setObject(text("past"), forKey: "past", expiry: .date(.distantPast))
    for limit in [1, 7, 40, 1000] {
      let listed = try await pages(of: store, limit: limit).flatMap { $0 }
      try expectOnce(objects.keys, in: listed, "with \(limit) keys to a page")
      try expect(listed.count == objects.count, "pages list \(listed.count) of \(objects.count) keys")
    }
    var found: [String: Data] = [:]
    for try await entries in store.entryPages(limit: 7) { found.merge(entries.mapValues(\.object)) { $1 } }
    try expect(
      found == objects, "entryPages returns \(found.count) entries, and not the \(objects.count) stored")
    guard let sync = store as? any SyncStorageAware<String, Data> else { return }
    var blocking: [String] = []
    try withoutSuspending { try sync.forEachKeyPage(limit: 7) { blocking += $0 } }
    try expectOnce(objects.keys, in: blocking, "without await")
  }

  /// Lists pages. Between two pages, replaces entries that are never removed, removes others, and stores new ones.
  private func pagesWhileOthersWrite(_ store: Store) async throws {
    let standing = (0..<60).map { "stays \($0)" }
    let leaving = (0..<40).map { "leaves \($0)" }
    let all = Dictionary(uniqueKeysWithValues: (standing + leaving).map { ($0, text("old")) })
    try await store.setObjects(all, expiry: nil)
    var listed: [String] = []
    var cursor: KeyCursor?
    var number = 0
    repeat {
      let page = try await page(of: store, after: cursor, limit: 5)
      listed += page.keys
      cursor = page.next
      try await store.removeObjects(forKeys: Array(leaving.dropFirst(2 * number).prefix(2)))
      // One key that was listed before, and one that was not.
      for key in [standing[number % 60], standing[(number * 7 + 31) % 60]] {
        try await store.setObject(text("new \(number)"), forKey: key, expiry: nil)
      }
      for first in ["a", "z"] {
        try await store.setObject(text("added"), forKey: "\(first) \(number)", expiry: nil)
      }
      number += 1
      try expect(number < 500, "pages do not end while others store two keys for each page of five")
    } while cursor != nil
    try expectOnce(standing, in: listed, "while others write")
  }

  /// Returns the keys of all pages. Reads each page twice, since a cursor may be used again.
  private func pages(of store: Store, limit: Int) async throws -> [[String]] {
    var pages: [[String]] = []
    var cursor: KeyCursor?
    repeat {
      let page = try await page(of: store, after: cursor, limit: limit)
      // The first page is not read twice: without a cursor a new iteration begins, possibly in another order.
      if cursor != nil {
        let again = try await self.page(of: store, after: cursor, limit: limit)
        try expect(
          Set(page.keys) == Set(again.keys) && (page.next == nil) == (again.next == nil),
          "a cursor that is used again gives another page")
      }
      if !page.keys.isEmpty { pages.append(page.keys) }
      cursor = page.next
      try expect(pages.count < 500, "pages of 40 keys do not end")
    } while cursor != nil
    return pages
  }

  private func page(of store: Store, after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    let page = try await store.keyPage(after: cursor, limit: limit)
    try expect(page.keys.count <= limit, "a page has \(page.keys.count) keys, and not at most \(limit)")
    return page
  }

  private func expectOnce(
    _ keys: some Collection<String>, in listed: [String], _ circumstances: String
  ) throws {
    var counts: [String: Int] = [:]
    for key in listed { counts[key, default: 0] += 1 }
    for key in keys.sorted() {
      let count = counts[key, default: 0]
      try expect(count > 0, "\(circumstances), no page lists \(shown(key))")
      try expect(count == 1, "\(circumstances), pages list \(shown(key)) \(count) times")
    }
  }
}

import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The steps of a copy into a store: read a batch, write it, check it.
///
/// No step depends on the steps of other batches: while one batch is written, the next can be read, and the one before
/// it checked.
struct Transfer: Sendable {
  /// Entries that are written together.
  struct Batch: Sendable {
    /// The entries that the store lacks, or has with other bytes or another expiry.
    var items: [Pages.Item]
    /// The number of entries that the store has already.
    var same = 0
  }

  /// The store to write; `nil` if it would have to be made.
  let to: OpenStore?
  /// Whether the store may have some of the entries already, so that each has to be compared.
  let compares: Bool

  /// Returns the next batch, or `nil` after the last, and the pages behind it.
  func read(_ pages: Pages) async throws -> (batch: Batch?, rest: Pages) {
    var pages = pages
    guard let items = try await pages.next(to?.batch ?? 1000) else { return (nil, pages) }
    let missing = compares ? try await missing(items) : items
    return (Batch(items: missing, same: items.count - missing.count), pages)
  }

  func write(_ items: [Pages.Item]) async throws {
    guard let to, !items.isEmpty else { return }
    try await to.storage.setEntries(Dictionary(items.map { ($0.key, $0.entry) }) { $1 })
  }

  /// Reads again what was written. Throws if an entry is missing or differs.
  func check(_ items: [Pages.Item]) async throws {
    guard let to, !items.isEmpty else { return }
    let now = to.storage.clock.now
    for (key, entry) in try await missing(items) {
      // An entry may expire, or be evicted by a limit, between the two looks.
      if let end = entry.expiry.end, end.timeIntervalSince(now) < 60 { continue }
      throw Failure(
        .failed, "notStored", "the entry was written, and is not there as it was written", key: key,
        place: to.path ?? to.url.text,
        advice: "another program writes to the store, or it has a limit and evicts; --no-check does not look")
    }
  }

  /// Returns the entries that the store lacks, or has with other bytes or another expiry.
  private func missing(_ items: [Pages.Item]) async throws -> [Pages.Item] {
    guard let to else { return items }
    var missing: [Pages.Item] = []
    var rest = items[...]
    while !rest.isEmpty {
      // Not all at once: what is read is in memory beside what it is compared with.
      let share = rest.prefix(1000)
      rest = rest.dropFirst(share.count)
      let there = try await to.storage.entries(forKeys: share.map(\.key))
      missing += share.filter { key, entry in there[key].map { !$0.isSame(as: entry) } ?? true }
    }
    return missing
  }
}

extension Entry<Data> {
  /// Whether another entry has the same bytes and, to the millisecond, the same expiry.
  func isSame(as other: Entry<Data>) -> Bool { object == other.object && expiry.isSame(as: other.expiry) }
}

import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The steps of a copy into a store: read a batch, write it, check it.
///
/// Steps of different batches do not depend on each other: while one batch is written, the next one can be read and the
/// previous one checked.
struct Transfer: Sendable {
  /// Entries that are written together.
  struct Batch: Sendable {
    /// The entries that the target lacks, or has with other bytes or another expiry.
    var items: [Pages.Item]
    /// The number of entries that the target already has, with the same bytes and expiry.
    var same = 0
    /// The keys of values that are copied a part at a time.
    var large: [String] = []
  }

  /// The target of the copy; `nil` in a dry run whose target does not exist.
  let to: OpenStore?
  /// Whether the target may already have some of the entries. If not, they are not compared before they are written.
  let compares: Bool

  /// Reads the next batch of the source. Returns it, or `nil` after the last one, with the pages that remain.
  ///
  /// The batch is sorted by key: when it is checked, a file of a tree reads each page once.
  func read(_ pages: Pages) async throws -> (batch: Batch?, rest: Pages) {
    var pages = pages
    guard var items = try await pages.next(to?.batch ?? 1000) else { return (nil, pages) }
    items.sort { $0.key < $1.key }
    let missing = compares ? try await missing(items) : items
    return (Batch(items: missing, same: items.count - missing.count, large: pages.takeLarge()), pages)
  }

  /// Stores entries in the target.
  func write(_ items: [Pages.Item]) async throws {
    guard let to, !items.isEmpty else { return }
    try await to.storage.setEntries(Dictionary(items.map { ($0.key, $0.entry) }) { $1 })
  }

  /// Reads entries back from the target. Throws if an entry is missing or differs from the written one.
  func check(_ items: [Pages.Item]) async throws {
    guard let to, !items.isEmpty else { return }
    for (key, entry) in try await missing(items) { try Self.expectExpired(key, entry.expiry, in: to) }
  }

  /// Throws unless an entry that was written, and is not there, may have expired or been evicted by a limit since.
  static func expectExpired(_ key: String, _ expiry: Expiry, in to: OpenStore) throws {
    if let end = expiry.end, end.timeIntervalSince(to.storage.clock.now) < 60 { return }
    throw Failure(
      .failed, "notStored", "the entry was written, but reading it back gives another value or none",
      key: key,
      place: to.path ?? to.url.text,
      advice: "another program writes to the store, or a limit evicts entries; --no-check omits this check")
  }

  /// Returns the entries that the target lacks, or has with other bytes or another expiry. Reads each key once.
  private func missing(_ items: [Pages.Item]) async throws -> [Pages.Item] {
    guard let to else { return items }
    var missing: [Pages.Item] = []
    // Reads in parts, since the entries read are in memory beside the entries that they are compared with.
    for part in items.parts(of: to.readBatch) {
      // A damaged entry of the target differs, and is written again.
      missing += part.differing(from: try await to.entries(forKeys: part.map(\.key)) { _, _ in })
    }
    return missing
  }
}

extension ArraySlice<Pages.Item> {
  /// Returns the items whose entries are not among these, or differ from them.
  fileprivate func differing(from found: [String: Entry<Data>]) -> [Pages.Item] {
    filter { key, entry in found[key]?.isSame(as: entry) != true }
  }
}

extension Entry<Data> {
  /// Returns whether another entry has the same bytes and, to the millisecond, the same expiry.
  func isSame(as other: Entry<Data>) -> Bool { object == other.object && expiry.isSame(as: other.expiry) }
}

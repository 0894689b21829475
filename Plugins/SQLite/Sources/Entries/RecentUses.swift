/// The rows that were recently read or written, oldest first.
///
/// Reads must not write to the file, so uses are kept here until room must be made.
struct RecentUses: Sendable {
  private var ids: [Int64] = []

  /// The maximum number of uses. A row whose use was dropped looks older than it is, but many others were used since.
  static let limit = 4096

  mutating func append(_ id: Int64) {
    if ids.last == id { return }
    if ids.count == Self.limit { ids.removeFirst(Self.limit / 2) }
    ids.append(id)
  }

  /// Removes and returns all rows, each once, ordered by last use.
  mutating func takeAll() -> [Int64] {
    defer { ids.removeAll(keepingCapacity: true) }
    var seen: Set<Int64> = []
    return ids.reversed().filter { seen.insert($0).inserted }.reversed()
  }
}

/// The rows that were read or written lately, oldest first.
///
/// A read must not be a write, so its use is noted here until somebody needs the order: when room has to be made.
struct RecentUses: Sendable {
  private var ids: [Int64] = []

  /// How many are kept. A row whose use is pushed out looks older than it is, but was used many uses ago.
  static let limit = 4096

  mutating func append(_ id: Int64) {
    if ids.last == id { return }
    if ids.count == Self.limit { ids.removeFirst(Self.limit / 2) }
    ids.append(id)
  }

  /// Takes all out, each row once, by its last use.
  mutating func takeAll() -> [Int64] {
    defer { ids.removeAll(keepingCapacity: true) }
    var seen: Set<Int64> = []
    return ids.reversed().filter { seen.insert($0).inserted }.reversed()
  }
}

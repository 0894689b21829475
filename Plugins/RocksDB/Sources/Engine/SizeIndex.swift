/// The sizes of a family's entries and their order of use. Every operation is amortised O(1) per entry.
struct SizeIndex: Sendable {
  private struct Record: Sendable {
    let size: Int
    /// The number of its last use.
    var use: Int
  }

  private struct Use: Sendable {
    let key: [UInt8]
    let number: Int
  }

  /// The sum of all sizes.
  private(set) var total = 0
  private var records: [[UInt8]: Record] = [:]
  /// Uses in order. Only the last use of a key counts; others are dropped when they reach the front or become too many.
  private var uses: [Use] = []
  private var first = 0
  private var lastUse = 0

  /// Records an entry that was just written.
  mutating func store(_ key: [UInt8], size: Int) {
    remove(key)
    records[key] = Record(size: size, use: 0)
    total += size
    touch(key)
  }

  /// Records that an entry was read.
  mutating func touch(_ key: [UInt8]) {
    guard records[key] != nil else { return }
    lastUse += 1
    records[key]?.use = lastUse
    uses.append(Use(key: key, number: lastUse))
    if uses.count > 64 + 2 * records.count + first { tidy() }
  }

  mutating func remove(_ key: [UInt8]) {
    if let record = records.removeValue(forKey: key) { total -= record.size }
  }

  /// Returns the least recently used entries that must be evicted so that entries of these sizes fit within the limit.
  /// Those entries themselves are not evicted.
  mutating func victims(toFit sizes: [[UInt8]: Int], limit: Int) -> [[UInt8]] {
    tidyFront()
    var rest = total
    for (key, size) in sizes { rest += size - (records[key]?.size ?? 0) }
    var victims: [[UInt8]] = []
    for use in uses[first...] {
      if rest <= limit { break }
      guard let record = records[use.key], record.use == use.number, sizes[use.key] == nil else { continue }
      victims.append(use.key)
      rest -= record.size
    }
    return victims
  }

  private mutating func tidyFront() {
    while first < uses.count, records[uses[first].key]?.use != uses[first].number { first += 1 }
    if first > 64, first * 2 > uses.count { tidy() }
  }

  private mutating func tidy() {
    uses = uses[first...].filter { records[$0.key]?.use == $0.number }
    first = 0
  }
}

/// The sizes of the entries of an engine, and the order in which they were used. Every operation is O(1), amortised.
package struct EntrySizes: Sendable {
  private struct Record: Sendable {
    let size: Int
    /// The sequence number of the entry's last use.
    var use: Int
  }

  private struct Use: Sendable {
    let key: [UInt8]
    let number: Int
  }

  /// The sum of all sizes.
  package private(set) var total = 0
  private var records: [[UInt8]: Record] = [:]
  /// Uses in order. Only the last use of a key counts; others are dropped when they reach the front or become too many.
  private var uses: [Use] = []
  private var first = 0
  private var lastUse = 0

  package init() {}

  /// Records an entry that was just written.
  package mutating func store(_ key: [UInt8], size: Int) {
    remove(key)
    records[key] = Record(size: size, use: 0)
    total += size
    touch(key)
  }

  /// Records that an entry was read.
  package mutating func touch(_ key: [UInt8]) {
    guard records[key] != nil else { return }
    lastUse += 1
    records[key]?.use = lastUse
    uses.append(Use(key: key, number: lastUse))
    if uses.count > 64 + 2 * records.count + first { tidy() }
  }

  package mutating func remove(_ key: [UInt8]) {
    if let record = records.removeValue(forKey: key) { total -= record.size }
  }

  /// Returns the entries to evict, least recently used first, so that entries of these sizes fit below a limit. The
  /// entries with these keys are not among them.
  package mutating func victims(toFit sizes: [[UInt8]: Int], limit: Int) -> [[UInt8]] {
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

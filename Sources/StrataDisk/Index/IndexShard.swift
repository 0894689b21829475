/// A part of the index: a table, and slots that have not been entered into it yet.
///
/// Opening a log divides the slots among the shards. A shard fills its table when it is used for the first time. So a
/// process that only reads, and lists the first keys of a million, does not wait for the other shards.
struct IndexShard: Sendable {
  private var table = IndexTable()
  private var waiting: [IndexSlot]?
  /// The bytes of the records that waiting slots have replaced or removed, until they are taken.
  private var replaced: SegmentSums

  /// - Parameters:
  ///   - waiting: The slots of the log's records in the order of the log; slots of removals are marked.
  ///   - oldest: The number of the oldest segment.
  init(waiting: [IndexSlot] = [], oldest: Int = 0) {
    self.waiting = waiting.isEmpty ? nil : waiting
    replaced = SegmentSums(oldest: oldest)
  }

  /// Passes the table, with all slots, to `body`.
  @inline(__always)
  mutating func withTable<R>(_ body: (inout IndexTable) -> R) -> R {
    if waiting != nil { fill() }
    return body(&table)
  }

  /// Returns the bytes, by segment, of the records that waiting slots have replaced or removed. Returns them only once.
  mutating func takeReplaced() -> SegmentSums {
    if waiting != nil { fill() }
    defer { replaced = SegmentSums(oldest: replaced.oldest) }
    return replaced
  }

  @inline(never)
  private mutating func fill() {
    let slots = waiting ?? []
    waiting = nil
    let span = LogSpan(oldest: replaced.oldest, newest: .max)
    var sums = replaced
    table = IndexTable(consume slots) { old in sums.add(old.location.cost, to: span.segment(of: old.location))
    }
    replaced = sums
  }
}

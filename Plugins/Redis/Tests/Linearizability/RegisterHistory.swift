/// The operations on one key with their times, by a clock that each event advances. Checks whether they can be ordered
/// one after the other.
///
/// Each value is written at most once. 0 is absence, the initial state.
struct RegisterHistory: Sendable {
  /// The known outcome of a write.
  enum Fate: Sendable {
    case acknowledged
    /// It failed, was cancelled, or timed out: it may have been executed.
    case unknown
    /// It failed, and the error says that nothing was sent.
    case unsent
  }

  private struct Write {
    let start: Int
    let end: Int
    let fate: Fate
  }

  private struct Read {
    let value: Int
    let start: Int
    let end: Int
  }

  private var writes: [Int: Write] = [0: Write(start: -2, end: -1, fate: .acknowledged)]
  private var reads: [Read] = []

  mutating func write(_ value: Int, from start: Int, to end: Int, _ fate: Fate) {
    writes[value] = Write(start: start, end: end, fate: fate)
  }

  mutating func read(_ value: Int, from start: Int, to end: Int) {
    reads.append(Read(value: value, start: start, end: end))
  }

  /// Returns why the operations cannot be ordered; `nil` if they can.
  ///
  /// Uses the zones of Gibbons and Korach, which decide this for values that are written once. In addition, a write of
  /// unknown outcome must precede all operations that begin after its caller knows of the failure.
  func flaw() -> String? {
    for read in reads {
      guard let write = writes[read.value] else { return "\(read.value) was read, and never written" }
      if write.fate == .unsent { return "\(read.value) was read, of which was said that it was not sent" }
      if read.end < write.start { return "\(read.value) was read before it was written" }
    }
    return undone() ?? overlap()
  }

  /// Returns a failed write that took effect after a later one.
  private func undone() -> String? {
    let acknowledged = writes.values.filter { $0.fate == .acknowledged }.sorted { $0.start < $1.start }
    // For each of them, the earliest time at which it, or one that began later, was done.
    var firstEnds = [Int](repeating: .max, count: acknowledged.count + 1)
    for index in acknowledged.indices.reversed() {
      firstEnds[index] = min(firstEnds[index + 1], acknowledged[index].end)
    }
    for read in reads {
      guard let write = writes[read.value], write.fate == .unknown else { continue }
      var (low, high) = (0, acknowledged.count)
      while low < high {
        let middle = (low + high) / 2
        if acknowledged[middle].start > write.end { high = middle } else { low = middle + 1 }
      }
      if read.start > firstEnds[low] {
        return
          "\(read.value), whose writer gave it up at \(write.end), was read at \(read.start), after a later write"
      }
    }
    return nil
  }

  private func overlap() -> String? {
    var zones: [Int: (low: Int, high: Int)] = [:]
    for (value, write) in writes {
      // A write that was neither read nor acknowledged may never have been executed.
      zones[value] = (write.fate == .acknowledged ? write.end : .max, write.start)
    }
    var seen: Set<Int> = []
    for read in reads {
      seen.insert(read.value)
      let zone = zones[read.value] ?? (.max, .min)
      zones[read.value] = (min(zone.low, read.end), max(zone.high, read.start))
    }
    let real = zones.filter { writes[$0.key]?.fate == .acknowledged || seen.contains($0.key) }
    let forward = real.filter { $0.value.low < $0.value.high }.sorted { $0.value.low < $1.value.low }
    for (first, second) in zip(forward, forward.dropFirst()) where second.value.low < first.value.high {
      return "\(first.key) was there before and after \(second.key)"
    }
    for (value, zone) in real where zone.low >= zone.high {
      var (low, high) = (0, forward.count)
      while low < high {
        let middle = (low + high) / 2
        if forward[middle].value.low < zone.high { low = middle + 1 } else { high = middle }
      }
      if low > 0, forward[low - 1].value.high > zone.low {
        return "\(value) was written while \(forward[low - 1].key) was there all the time"
      }
    }
    return nil
  }
}

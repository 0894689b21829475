import StrataMemory
import Testing

/// One way to limit a memory. A value is its own cost.
struct MemorySetup: CustomTestStringConvertible, Sendable {
  let countLimit: Int
  let costLimit: Int
  let expiry: Expiry

  static let all: [MemorySetup] = [0, 1, 10, 1024].flatMap { countLimit in
    [0, 10, 400].flatMap { costLimit in
      [.never, .seconds(20)].map { MemorySetup(countLimit: countLimit, costLimit: costLimit, expiry: $0) }
    }
  }

  var testDescription: String { "count \(countLimit), cost \(costLimit), \(expiry)" }

  func config(_ time: ManualClock) -> MemoryConfig {
    MemoryConfig(
      expiry: expiry, countLimit: UInt(countLimit), totalCostLimit: UInt(costLimit), clock: time.clock)
  }

  /// Whether so many entries of such a cost are too many.
  func isExceeded(count: Int, cost: Int) -> Bool {
    countLimit > 0 && count > countLimit || costLimit > 0 && cost > costLimit
  }
}

/// What a `MemoryStorage` promises, written for the eye: every operation looks at every entry.
///
/// It does not foretell who is evicted, since entries read between the same two writes are equally old. It says whether those
/// who went had to go.
struct MemoryModel {
  struct Item {
    var value: Int
    var expiry: Expiry
    /// Twice the writes before, and one more for a read.
    var used: Int
    var cost: Int { max(value, 0) }
  }

  let setup: MemorySetup
  let time: ManualClock
  var items: [Int: Item] = [:]
  var writes = 0

  func isLive(_ key: Int) -> Bool { items[key].map { !$0.expiry.isExpired(by: time.clock) } ?? false }

  mutating func read(_ key: Int) { items[key]?.used = writes * 2 + 1 }

  /// Notes a write, after which those keys are `left`; returns what is wrong with that.
  mutating func write(_ value: Int, _ key: Int, _ expiry: Expiry?, left: Set<Int>) -> [String] {
    let item = Item(value: value, expiry: (expiry ?? setup.expiry).resolved(by: time.clock), used: 0)
    if setup.costLimit > 0, item.cost > setup.costLimit {
      items[key] = nil
      return left == Set(items.keys) ? [] : ["a write of what is not kept evicted others"]
    }
    items[key] = item
    var flaws: [String] = []
    if !left.contains(key) { flaws.append("what was written is not there") }
    let victims = items.filter { !left.contains($0.key) }
    items = items.filter { left.contains($0.key) }
    if items.count != left.count { flaws.append("there is what was never written") }
    if isExceeded() { flaws.append("a limit is exceeded") }
    if let last = victims.max(by: { $0.value.used < $1.value.used }) {
      let younger = items.filter { $0.key != key && $0.value.used < last.value.used }
      if !younger.isEmpty { flaws.append("\(younger.keys) were used before \(last.key), which was evicted") }
      let spared = victims.contains { victim in
        victim.value.used == last.value.used && isExceeded(with: victim.value)
      }
      if !spared { flaws.append("more was evicted than had to be") }
    }
    writes += 1
    items[key]?.used = writes * 2
    return flaws
  }

  private func isExceeded(with other: Item? = nil) -> Bool {
    setup.isExceeded(
      count: items.count + (other == nil ? 0 : 1),
      cost: items.values.reduce(other?.cost ?? 0) { $0 + $1.cost })
  }
}

import Foundation
import Testing

@testable import StrataMemory

/// A combination of limits and expiries for a store in memory. A value is its own cost.
struct MemorySetup: CustomTestStringConvertible, Sendable {
  let countLimit: Int
  let costLimit: Int
  let expiry: Expiry
  let idleTime: Double?
  let shards: Int

  static let all: [MemorySetup] = [0, 1, 10, 300].flatMap { countLimit in
    [0, 10, 400].flatMap { costLimit in
      [.never, .seconds(20)].flatMap { expiry in
        [nil, 6].flatMap { idleTime in
          [1, 16].map { shards in
            MemorySetup(
              countLimit: countLimit, costLimit: costLimit, expiry: expiry, idleTime: idleTime, shards: shards
            )
          }
        }
      }
    }
  }

  var testDescription: String {
    "count \(countLimit), cost \(costLimit), \(expiry), idle \(idleTime ?? 0), shards \(shards)"
  }

  func memory(
    _ time: ManualClock, _ onRemoval: @escaping @Sendable (MemoryRemoval<Int, Int>) -> Void
  ) -> MemoryStorage<Int, Int> {
    let config = MemoryConfig(
      expiry: expiry, countLimit: UInt(countLimit), totalCostLimit: UInt(costLimit), clock: time.clock,
      idleTime: idleTime)
    return MemoryStorage(config: config, shards: shards, cost: { _, value in value }, onRemoval: onRemoval)
  }

  /// Returns whether this many entries of this cost exceed the limits.
  func isExceeded(count: Int, cost: Int) -> Bool {
    countLimit > 0 && count > countLimit || costLimit > 0 && cost > costLimit
  }
}

/// A simple model of `MemoryStorage`, in which every operation examines every entry.
///
/// It does not predict which entry is evicted, only whether an entry had to be evicted, and which reason must be
/// reported.
struct MemoryModel {
  struct Item {
    var value: Int
    var ownExpiry: Expiry
    var lastUse: Date
    var cost: Int { max(value, 0) }
  }

  let setup: MemorySetup
  let time: ManualClock
  var items: [Int: Item] = [:]

  func expiry(_ item: Item) -> Expiry {
    guard let idleTime = setup.idleTime else { return item.ownExpiry }
    let idle = item.lastUse.addingTimeInterval(idleTime)
    return .date(item.ownExpiry == .never ? idle : min(idle, item.ownExpiry.date))
  }

  func isLive(_ item: Item) -> Bool { !expiry(item).isExpired(by: time.clock) }
  func isLive(_ key: Int) -> Bool { items[key].map(isLive) ?? false }
  var live: Set<Int> { Set(items.filter { isLive($0.value) }.keys) }

  mutating func read(_ key: Int) { if isLive(key) { items[key]?.lastUse = time.date } }

  /// Records a write.
  mutating func write(_ value: Int, _ key: Int, _ expiry: Expiry?) {
    let item = Item(
      value: value, ownExpiry: (expiry ?? setup.expiry).resolved(by: time.clock), lastUse: time.date)
    items[key] = setup.costLimit > 0 && item.cost > setup.costLimit ? nil : item
  }

  /// Compares the model with the keys stored after an operation, and updates it; returns the violations. Only a write
  /// may evict.
  mutating func meet(_ stored: Set<Int>, written: Int? = nil) -> [String] {
    var flaws: [String] = []
    let gone = items.filter { !stored.contains($0.key) }
    let victims = gone.filter { isLive($0.value) }
    items = items.filter { stored.contains($0.key) }
    if items.count != stored.count { flaws.append("there is what was never written, or removed") }
    if isExceeded() { flaws.append("a limit is exceeded") }
    if let written, victims[written] != nil { flaws.append("the written entry is not there") }
    if written == nil, !victims.isEmpty { flaws.append("\(victims.keys) went without a reason") }
    if !victims.isEmpty, !gone.contains(where: { isExceeded(with: $0.value) }) {
      flaws.append("more was evicted than had to be")
    }
    return flaws
  }

  private func isExceeded(with other: Item? = nil) -> Bool {
    setup.isExceeded(
      count: items.count + (other == nil ? 0 : 1),
      cost: items.values.reduce(other?.cost ?? 0) { $0 + $1.cost })
  }
}

import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

/// Combinators forward the atomic operations of a store.
@Suite("Combinators forward setIfAbsent, touch, update and increment") struct ForwardedConditionsTests {
  private static let links: [Combinator] = [
    .tiers, .transformed, .compressed, .combined, .serial, .mappedKeys, .mappedValues, .asyncMappedValues,
    .recovering, .cached, .cachedOnFailure, .obscured,
  ]

  @Test("setIfAbsent and touch", arguments: links)
  func conditions(_ link: Combinator) async throws { try await expectKept(.conditions, link) }

  @Test("update", arguments: [Combinator.serial, .mappedKeys, .mappedValues, .obscured])
  func updating(_ link: Combinator) async throws { try await expectKept(.updating, link) }

  @Test("increment", arguments: ["serial", "keys", "obscured", "recover"])
  func counting(_ name: String) async throws {
    let tally = Tally()
    let link: any StorageAware<String, Int> =
      switch name {
      case "serial": tally.serial()
      case "keys": tally.mapKeys(to: String.self, mapTo: { String($0.dropLast()) }, mapFrom: { $0 + "!" })
      case "obscured": tally.obscureWrappedStorages()
      default: tally.recover { throw $0 }
      }
    let counting = try #require(link as? any CountingStorage<String, Int>)
    #expect(try await counting.increment(forKey: "a", by: 2) == 2)
    #expect(try await counting.increment(forKey: "a", by: 3) == 5)
    #expect(tally.counted.value == 2)
    #expect(try await link.object(forKey: "a") == 5)
  }

  private func expectKept(_ promise: Contract, _ link: Combinator) async throws {
    let verdict = try await promise.verdict(on: link.subject)
    guard case .kept = verdict else {
      Issue.record("\(link): \(verdict)")
      return
    }
  }
}

/// A store with an `increment` of its own.
private final class Tally: SyncSimpleStorage, CountingStorage {
  let base = DictionaryStorage<String, Int>()
  let counted = Shared(0)

  func increment(forKey key: String, by amount: Int) async throws -> Int {
    counted.change { $0 += 1 }
    return try blocking {
      let sum = try (base.objectIfPresent(forKey: key) ?? 0) + amount
      try base.setObject(sum, forKey: key)
      return sum
    }
  }
  func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}

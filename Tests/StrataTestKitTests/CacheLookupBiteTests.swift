import Foundation
import StrataCore
import StrataTestKit
import TestSupport
import Testing

/// The kit checks the results that a store returns without waiting, and rejects wrong ones.
@Suite("The kit rejects wrong cached entries", .endsInTime) struct CacheLookupBiteTests {
  /// A store that reads and writes correctly, but whose results without waiting can be falsified.
  private struct Talker: TellingStorage {
    let base: Reference
    var says: @Sendable (CacheLookup<Entry<Data>>) -> CacheLookup<Entry<Data>> = { $0 }
    var saysExpiry: @Sendable (CacheLookup<Expiry>) -> CacheLookup<Expiry> = { $0 }

    var stores: @Sendable (Reference, Data, String) throws -> Bool = { _, _, _ in false }

    var clock: StorageClock { base.clock }
    func setObjectAtOnce(_ object: Data, forKey key: String, expiry: Expiry?) throws -> Bool {
      try stores(base, object, key)
    }
    func cachedEntry(forKey key: String) -> CacheLookup<Entry<Data>> { says(base.cachedEntry(forKey: key)) }
    func cachedExpiry(forKey key: String) -> CacheLookup<Expiry> {
      saysExpiry(base.cachedExpiry(forKey: key))
    }
    func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
    func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
      try base.setObject(object, forKey: key, expiry: expiry)
    }
    func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
    func removeAll() throws { try base.removeAll() }
    func removeExpiredObjects() throws { try base.removeExpiredObjects() }
    func keys() throws -> [String] { try base.keys() }
  }

  private func verdict(_ promise: Contract, _ change: @escaping @Sendable (inout Talker) -> Void) async throws
    -> String?
  {
    let subject = Subject("one that talks") { place in
      var talker = Talker(base: Reference(at: place))
      change(&talker)
      return talker
    }
    guard case .broken(let broken) = try await promise.verdict(on: subject) else { return nil }
    return broken.explanation
  }

  @Test(
    "a store that is right, or cannot say, is accepted",
    arguments: [Contract.reading, .absence, .linearizability])
  func accepts(_ promise: Contract) async throws {
    #expect(try await verdict(promise) { _ in } == nil)
    #expect(
      try await verdict(promise) {
        $0.says = { _ in .unknown }
        $0.saysExpiry = { _ in .unknown }
      } == nil)
  }

  @Test("a stored entry is not reported as absent, and an absent one not as stored")
  func rejects() async throws {
    let absent = try await verdict(.reading) { $0.says = { _ in .absent } }
    #expect(absent?.contains("cachedEntry gives nothing") == true)
    let present = try await verdict(.absence) { $0.says = { _ in .found(Entry(object: Data())) } }
    #expect(present?.contains("cachedEntry gives 0 bytes") == true)
    let expiry = try await verdict(.reading) { $0.saysExpiry = { _ in .absent } }
    #expect(expiry?.contains("cachedExpiry answers nothing") == true)
  }

  @Test("setObjectAtOnce reports truly whether it has stored the value")
  func storing() async throws {
    let good = try await verdict(.overwriting) {
      $0.stores = { base, object, key in
        try base.setObject(object, forKey: key, expiry: nil)
        return true
      }
    }
    #expect(good == nil)
    let lost = try await verdict(.overwriting) { $0.stores = { _, _, _ in true } }
    #expect(lost?.contains("setObjectAtOnce has answered true") == true)
    let secret = try await verdict(.overwriting) {
      $0.stores = { base, object, key in
        try base.setObject(object, forKey: key, expiry: nil)
        return false
      }
    }
    #expect(secret?.contains("setObjectAtOnce has answered false") == true)
    #expect(try await verdict(.linearizability) { $0.stores = { _, _, _ in true } } != nil)
  }

  @Test("a cached entry is never an older one")
  func stale() async throws {
    let explanation = try await verdict(.linearizability) { talker in
      let last = Locked<Entry<Data>?>(nil)
      talker.says = { now in
        last.withLock { last in
          defer { if case .found(let entry) = now { last = entry } }
          return last.map { .found($0) } ?? now
        }
      }
    }
    #expect(explanation?.contains("no order of these operations") == true)
  }
}

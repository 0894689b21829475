import Foundation
import StrataCore
import StrataTestKit
import TestSupport
import Testing

/// No check requires a feature that the subject says the store does not have.
@Suite("Stores with limits keep the rest of the contract", .endsInTime) struct LimitedStoreTests {
  @Test("no check needs a larger value than hugeValueSize", arguments: Contract.brief(number: 1))
  func smallValues(_ promise: Contract) async throws {
    let limit = 4096
    let subject = Subject("small values", hugeValueSize: limit) { place in
      var bent = Bent(try Fault.good(promise, at: place))
      let (write, writeMany, writeIfAbsent) = (bent.write, bent.writeMany, bent.writeIfAbsent)
      @Sendable func check(_ values: [Data]) throws {
        for value in values where value.count > limit {
          throw StorageError.tooLarge.with("\(value.count) bytes")
        }
      }
      bent.write = {
        try check([$0])
        try await write($0, $1, $2)
      }
      bent.writeMany = {
        try check(Array($0.values))
        try await writeMany($0, $1)
      }
      bent.writeIfAbsent = {
        try check([$0])
        return try await writeIfAbsent($0, $1, $2)
      }
      return bent
    }
    // Promises that stores in memory or asynchronous stores do not make are not checked, which is no failure.
    if case .broken(let broken) = try await promise.verdict(on: subject) { Issue.record("\(broken)") }
  }

  @Test(
    "a location of a store without severalHandles is not opened twice",
    arguments: Contract.allCases.filter { !Set<Contract>.ofPersistence.contains($0) })
  func oneHandle(_ promise: Contract) async throws {
    let subject = Subject("open once", except: [.severalHandles, .survivingKill]) { try OpenOnce(at: $0) }
    if case .broken(let broken) = try await promise.verdict(on: subject) { Issue.record("\(broken)") }
  }

  @Test("a call that throws is named, with its key")
  func names() async throws {
    let subject = Subject("cannot remove many") { place in
      var bent = Bent(Reference(at: place))
      bent.removeMany = { _ in throw StorageError.backendFailed }
      bent.readExpiry = {
        if $0 == "a" { throw StorageError.backendFailed }
        return .never
      }
      return bent
    }
    for (promise, call) in [
      (Contract.batches, "from removeObjects"), (.reading, "from expiryIfPresent of the key \"a\""),
    ] {
      guard case .broken(let broken) = try await promise.verdict(on: subject) else {
        Issue.record("\(promise) is not broken")
        continue
      }
      #expect(broken.explanation.contains(call), "\(broken.explanation)")
    }
  }
}

/// A correct store that can be open only once at a location.
private final class OpenOnce: SyncSimpleConditionalStorage, SyncUpdateableStorage {
  private static let open = Locked<Set<String>>([])

  private let base: Reference
  private let path: String

  init(at place: Place) throws {
    guard Self.open.withLock({ $0.insert(place.path).inserted }) else {
      throw StorageError.backendFailed.with("it is open already", place: place.path)
    }
    base = Reference(at: place)
    path = place.path
  }

  deinit { Self.open.withLock { open in _ = open.remove(path) } }

  var clock: StorageClock { base.clock }
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) throws {
    try base.setObjects(objects, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeObjects(forKeys keys: [String]) throws { try base.removeObjects(forKeys: keys) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<String> {
    try base.keyPage(after: cursor, limit: limit)
  }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) throws -> Data {
    try base.update(forKey: key, modify)
  }
  func setIfAbsent(_ object: Data, forKey key: String, expiry: Expiry?) throws -> Bool {
    try base.setIfAbsent(object, forKey: key, expiry: expiry)
  }
  func touch(forKey key: String, expiry: Expiry) throws -> Bool {
    try base.touch(forKey: key, expiry: expiry)
  }
}

import Foundation
import Strata
import StrataSQLite
import StrataSodium
import TestSupport
import Testing

/// How values that use an older key are stored again.
@Suite(.endsInTime) struct RotationTests {
  private let bytes = DictionaryStorage<String, Data>()
  private let ring: KeyRing
  private let newer: SecretKey

  init() throws {
    ring = KeyRing(try SecretKey())
    newer = try SecretKey()
  }

  private func count(_ byte: UInt8) -> Data { Data([byte]) }

  // MARK: On access

  @Test func aReadStoresAnOldValueAgain() throws {
    let time = ManualClock()
    let bytes = DictionaryStorage<String, Data>(clock: time.clock)
    let store = bytes.encrypted(with: ring)
    try store.setObject(Data([1]), forKey: "a", expiry: .seconds(10))
    let expiry = try store.expiryIfPresent(forKey: "a")
    ring.rotate(adding: newer)
    #expect(store.cachedEntry(forKey: "a") == .unknown)
    #expect(try store.object(forKey: "a") == Data([1]))
    #expect(try newer.isCurrent(#require(bytes.objects["a"])))
    #expect(try store.expiryIfPresent(forKey: "a") == expiry)
    #expect(bytes.calls(.write) == 2)
    #expect(try store.object(forKey: "a") == Data([1]))
    #expect(bytes.calls(.write) == 2)
    ring.removeOlder()
    #expect(try store.object(forKey: "a") == Data([1]))
  }

  @Test func aBatchStoresOldValuesAgain() async throws {
    for store in [
      bytes.encrypted(with: ring) as any StorageAware<String, Data>, SlowStorage(bytes).encrypted(with: ring),
    ] {
      try await store.setObjects(["a": Data([1]), "b": Data([2])], expiry: nil)
      ring.rotate(adding: try SecretKey())
      #expect(
        try await store.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": Data([1]), "b": Data([2])])
      #expect(bytes.objects.values.allSatisfy(ring.isCurrent))
    }
  }

  @Test func aConcurrentWriteIsNotOverwritten() async throws {
    let store = bytes.encrypted(with: ring)
    let slow = SlowStorage(bytes).encrypted(with: ring)
    for read in [{ try blocking { try store.object(forKey: "a") } }, { try await slow.object(forKey: "a") }]
      as [() async throws -> Data]
    {
      try blocking { try store.setObject(Data([1]), forKey: "a") }
      ring.rotate(adding: try SecretKey())
      bytes.afterNextRead { try store.setObject(Data([2]), forKey: "a") }
      #expect(try await read() == Data([1]))
      #expect(try blocking { try store.object(forKey: "a") } == Data([2]))
    }
  }

  @Test func aConcurrentRemovalIsNotUndone() throws {
    let store = bytes.encrypted(with: ring)
    try store.setObject(Data([1]), forKey: "a")
    ring.rotate(adding: newer)
    bytes.afterNextRead { try store.removeObject(forKey: "a") }
    #expect(try store.object(forKey: "a") == Data([1]))
    #expect(bytes.objects.isEmpty)
  }

  @Test func expiredValuesAreNotStoredAgain() throws {
    let time = ManualClock()
    let bytes = DictionaryStorage<String, Data>(clock: time.clock)
    let store = bytes.encrypted(with: ring)
    try store.setObject(Data([1]), forKey: "a", expiry: .seconds(1))
    ring.rotate(adding: newer)
    time.advance(by: 2)
    #expect(try store.entryIfPresent(forKey: "a")?.object == Data([1]))
    #expect(bytes.calls(.write) == 1)
  }

  @Test func aReadSucceedsIfNothingCanBeWritten() async throws {
    let told = Shared<[String]>([])
    let onFailure: @Sendable (String, any Error) -> Void = { key, error in
      told.change { $0.append("\(key): \(error)") }
    }
    let store = bytes.encrypted(with: ring, onFailure: onFailure)
    let slow = SlowStorage(bytes).encrypted(with: ring, onFailure: onFailure)
    try blocking { try store.setObjects(["a": Data([1])], expiry: nil) }
    ring.rotate(adding: newer)
    bytes.fail(.write)
    #expect(try blocking { try store.object(forKey: "a") } == Data([1]))
    #expect(try blocking { try store.entries(forKeys: ["a"]) }["a"]?.object == Data([1]))
    #expect(try await slow.object(forKey: "a") == Data([1]))
    #expect(told.value == ["a: first", "a: first", "a: first"])
    bytes.work()
    #expect(try await slow.object(forKey: "a") == Data([1]))
    #expect(try newer.isCurrent(#require(bytes.objects["a"])))
    #expect(told.value.count == 3)
  }

  // MARK: All at once

  @Test func reencryptStoresAllValuesAgain() async throws {
    let time = ManualClock()
    let bytes = DictionaryStorage<String, Data>(clock: time.clock)
    let links: [any StorageAware<String, Data>] = [
      bytes.encrypted(with: ring), SlowStorage(bytes).encrypted(with: ring),
    ]
    for (round, store) in links.enumerated() {
      for i in 0..<100 {
        try await store.setObject(count(UInt8(i)), forKey: "\(i)", expiry: .seconds(Double(i + 100)))
      }
      let expiries = bytes.objects.keys.sorted()
      ring.rotate(adding: try SecretKey())
      for i in 0..<10 { try await store.setObject(count(UInt8(i)), forKey: "\(i)", expiry: .never) }
      var steps: [Int] = []
      let done: Reencryption
      if let store = store as? EncryptedStorage<DictionaryStorage<String, Data>> {
        done = try blocking { try store.reencrypt { steps.append($0.visited) } }
      } else {
        let store = try #require(store as? EncryptedStorage<SlowStorage<DictionaryStorage<String, Data>>>)
        done = try await store.reencrypt { steps.append($0.visited) }
      }
      #expect((done.total, done.visited, done.rewritten, done.refused) == (100, 100, 90, 0), "round \(round)")
      #expect(steps == [32, 64, 96, 100])
      #expect(bytes.objects.keys.sorted() == expiries)
      #expect(bytes.objects.values.allSatisfy(ring.isCurrent))
      for i in 0..<100 {
        #expect(try await store.object(forKey: "\(i)") == count(UInt8(i)))
        #expect(
          try await store.expiryIfPresent(forKey: "\(i)")
            == (i < 10 ? .never : Expiry.seconds(Double(i + 100)).resolved(by: time.clock)))
      }
    }
    ring.removeOlder()
    #expect(try await links[0].allObjects().count == 100)
  }

  @Test func anInterruptedReencryptionIsContinued() throws {
    let store = bytes.encrypted(with: ring)
    try store.setObjects(
      Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", count($0)) }), expiry: nil)
    ring.rotate(adding: newer)
    #expect(throws: Failure.first) {
      try store.reencrypt { if $0.visited >= 64 { throw Failure.first } }
    }
    let done = bytes.objects.values.filter(newer.isCurrent).count
    #expect(done == 64)
    #expect(try store.reencrypt().rewritten == 36)
    #expect(try store.reencrypt().rewritten == 0)
  }

  @Test func anUnreadableValueDoesNotStopTheOthers() async throws {
    let store = bytes.encrypted(with: ring)
    try blocking {
      try store.setObjects(
        Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", count($0)) }), expiry: nil)
      let stranger = try SecretKey().encrypt(Data([1]))
      try bytes.setObject(stranger, forKey: "50")
      try bytes.setObject(Data("plain".utf8), forKey: "51")
      let kept = bytes.objects
      ring.rotate(adding: newer)
      let error = try #require(throws: EncryptorError.self) { try store.reencrypt() }
      #expect(error == .failedToDecrypt)
      #expect(["50", "51"].contains(error.key as? String))
      #expect(error.errorMessage.contains("2 of 100 values could not be decrypted"))
      #expect(bytes.objects.values.filter(newer.isCurrent).count == 98)
      #expect((bytes.objects["50"], bytes.objects["51"]) == (kept["50"], kept["51"]))
    }
    await #expect(throws: EncryptorError.failedToDecrypt) {
      try await SlowStorage(bytes).encrypted(with: ring).reencrypt()
    }
  }

  @Test func anErrorOfTheStoreEndsReencrypt() throws {
    let store = bytes.encrypted(with: ring)
    try store.setObjects(["a": Data([1]), "b": Data([2])], expiry: nil)
    ring.rotate(adding: newer)
    bytes.fail(.write, with: Failure.second)
    #expect(throws: Failure.second) { try store.reencrypt() }
    bytes.work()
    #expect(try store.reencrypt().rewritten == 2)
  }

  @Test func cancellationEndsReencrypt() async throws {
    let store = SlowStorage(bytes).encrypted(with: ring)
    try await store.setObjects(
      Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", count($0)) }), expiry: nil)
    ring.rotate(adding: newer)
    let work = Task {
      try await store.reencrypt { state in
        if state.visited == 32 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(bytes.objects.values.filter(newer.isCurrent).count == 32)
  }

  @Test func reencryptOverwritesNoConcurrentWrite() throws {
    let store = bytes.encrypted(with: ring)
    try store.setObject(Data([1]), forKey: "a")
    ring.rotate(adding: newer)
    let old = KeyRing(newest: try key(1), older: [newer])
    // A writer without the new key writes with the old key, between the read and the rewrite.
    ring.rotate(adding: try key(1))
    ring.rotate(adding: newer)
    let writer = bytes.encrypted(with: old)
    bytes.afterNextRead { try writer.setObject(Data([2]), forKey: "a") }
    #expect(try store.reencrypt().rewritten == 1)
    #expect(try store.object(forKey: "a") == Data([2]))
    #expect(try newer.isCurrent(#require(bytes.objects["a"])))
    ring.rotate(adding: try SecretKey())
    bytes.afterNextRead { try writer.removeObject(forKey: "a") }
    #expect(try store.reencrypt().rewritten == 0)
    #expect(bytes.objects.isEmpty)
  }
}

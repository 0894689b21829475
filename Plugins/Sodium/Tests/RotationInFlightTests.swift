import Foundation
import Strata
import StrataSodium
import TestSupport
import Testing

/// Writes and reads that begin with one key and end after it was removed.
@Suite(.endsInTime) struct RotationInFlightTests {
  private let bytes = DictionaryStorage<String, Data>()
  private let ring: KeyRing
  private let newer: SecretKey

  init() throws {
    ring = KeyRing(try SecretKey())
    newer = try SecretKey()
  }

  // MARK: Writes

  /// A write that waits for its turn encrypts its value when its turn begins.
  @Test func aWaitingWriteEncryptsItsValueInItsTurn() async throws {
    let slow = SlowStorage(bytes)
    let store = slow.encrypted(with: ring)
    let order = try #require(slow.coordinator).rewrites
    let writes: [@Sendable () async throws -> Void] = [
      { try await store.setObject(Data([1]), forKey: "a", expiry: nil) },
      { try await store.setObjects(["a": Data([2]), "b": Data([2])], expiry: nil) },
    ]
    for (number, write) in writes.enumerated() {
      // The store is empty, so the rotation needs no turn.
      try await store.removeAll()
      let turn = order.line(up: .key("a"))
      try await order.wait(for: turn)
      let writing = Task.immediate { try await write() }
      ring.rotate(adding: try SecretKey())
      try await store.reencrypt()
      ring.removeOlder()
      order.leave(turn)
      try await writing.value
      #expect(try await store.object(forKey: "a") == Data([UInt8(number + 1)]))
    }
  }

  /// A rotation waits for writes in progress, so that their values are stored again too.
  @Test(arguments: ["one", "many", "update"])
  func aWriteThatIsUnderWayIsWaitedFor(_ kind: String) async throws {
    let held = HeldStorage()
    let store = held.encrypted(with: ring)
    try await store.setObject(Data([1]), forKey: "a", expiry: nil)
    let gate = held.stop()
    let writing = Task {
      switch kind {
      case "one": try await store.setObject(Data([2]), forKey: "b", expiry: nil)
      case "many": try await store.setObjects(["b": Data([2])], expiry: nil)
      default: _ = try await store.update(forKey: "a") { $0 = Data([2]) }
      }
    }
    await gate.arrivals(1)
    ring.rotate(adding: newer)
    let rotation = Task.immediate { [ring] in
      try await store.reencrypt()
      ring.removeOlder()
    }
    gate.open()
    try await writing.value
    try await rotation.value
    #expect(try await store.object(forKey: kind == "update" ? "a" : "b") == Data([2]))
    #expect(ring.ids == [newer.id])
  }

  /// A rotation waits for blocking writes too, also by another encrypted store with the same ring.
  @Test func aRotationWaitsForThreadsThatWrite() async throws {
    let gated = GatedStorage()
    let store = gated.encrypted(with: ring)
    let other = DictionaryStorage<String, Data>().encrypted(with: ring)
    let (ring, newer) = (ring, newer)
    let isDone = Shared(false)
    async let write: Void = onThread { try store.setObject(Data([1]), forKey: "a") }
    await gated.gate.arrival()
    ring.rotate(adding: newer)
    async let rotation: Void = onThread {
      try other.reencrypt()
      try store.reencrypt()
      ring.removeOlder()
      isDone.change { $0 = true }
    }
    await until { isDone.value || ring.writes.areAwaited }
    gated.gate.open()
    try await write
    try await rotation
    #expect(try await onThread { try store.object(forKey: "a") } == Data([1]))
  }

  /// A write that begins after the rotation uses the new key, and the rotation does not wait for it.
  @Test func aRotationDoesNotWaitForLaterWrites() async throws {
    let held = HeldStorage()
    let store = held.encrypted(with: ring)
    let (ring, newer) = (ring, newer)
    let earlier = held.stop()
    let first = Task { try await store.setObject(Data([1]), forKey: "a", expiry: nil) }
    await earlier.arrivals(1)
    ring.rotate(adding: newer)
    let later = held.stop()
    let second = Task { try await store.setObject(Data([2]), forKey: "b", expiry: nil) }
    await later.arrivals(1)
    let rotation = Task { try await store.reencrypt() }
    await until { ring.writes.areAwaited }
    earlier.open()
    #expect(try await rotation.value.rewritten == 1)
    #expect(try await store.reencrypt().total == 1)
    later.open()
    try await first.value
    try await second.value
    #expect(try await store.reencrypt().rewritten == 0)
  }

  @Test func cancellationEndsTheWait() async throws {
    let held = HeldStorage()
    let store = held.encrypted(with: ring)
    let ring = ring
    let gate = held.stop()
    let writing = Task { try await store.setObject(Data([2]), forKey: "b", expiry: nil) }
    await gate.arrivals(1)
    ring.rotate(adding: newer)
    let waiting = Task { try await store.reencrypt() }
    await until { ring.writes.areAwaited }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let tooLate = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.reencrypt()
    }
    await #expect(throws: CancellationError.self) { try await tooLate.value }
    #expect(!ring.writes.areAwaited)
    gate.open()
    try await writing.value
    #expect(try await store.reencrypt().rewritten == 1)
  }

  /// The rotation stops waiting for a write that fails.
  @Test func aFailedWriteEndsTheWait() async throws {
    let store = bytes.encrypted(with: ring)
    bytes.fail(.write)
    for _ in 0..<3 {
      #expect(throws: Failure.first) { try blocking { try store.setObject(Data([1]), forKey: "a") } }
      #expect(throws: Failure.first) {
        try blocking { try store.setObjects(["a": Data([1])], expiry: nil) }
      }
    }
    bytes.work()
    ring.rotate(adding: newer)
    #expect(try await store.reencrypt().total == 0)
  }

  // MARK: Reads

  /// A read that has the old bytes when their key is removed reads the new bytes.
  @Test func aReadIsRepeatedIfItsKeyIsRemoved() async throws {
    let store = bytes.encrypted(with: ring)
    let slow = SlowStorage(bytes).encrypted(with: ring)
    try blocking { try store.setObject(Data([1]), forKey: "a") }
    let reads: [@Sendable () async throws -> Data?] = [
      { try blocking { try store.object(forKey: "a") } },
      { try await slow.object(forKey: "a") },
      { try blocking { try store.entries(forKeys: ["a"])["a"]?.object } },
      { try await slow.entries(forKeys: ["a"])["a"]?.object },
    ]
    for read in reads {
      bytes.afterNextRead { [ring] in
        ring.rotate(adding: try SecretKey())
        try store.reencrypt()
        ring.removeOlder()
      }
      #expect(try await read() == Data([1]))
    }
  }

  /// A value whose key was removed permanently is refused, after one more read.
  @Test func aValueWithoutItsKeyIsRefused() throws {
    let store = bytes.encrypted(with: ring)
    try store.setObject(Data([1]), forKey: "a")
    ring.rotate(adding: newer)
    ring.removeOlder()
    #expect(throws: EncryptorError.failedToDecrypt) { try store.object(forKey: "a") }
    #expect(bytes.calls(.read) == 2)
    #expect(throws: EncryptorError.failedToDecrypt) { try store.entries(forKeys: ["a"]) }
    bytes.afterNextRead { [bytes] in try bytes.removeObject(forKey: "a") }
    #expect(try store.entryIfPresent(forKey: "a") == nil)
  }

  // MARK: Transformers

  /// Bytes cached in a value with an older key are encoded again for the next tier that requests them.
  @Test func cachedBytesWithAnOlderKeyAreEncodedAgain() throws {
    let plain = Transformer.codable(String.self)
    for transformer in [
      plain.encrypted(with: ring), plain.encrypted(with: ring).then(.zlib()), plain.encrypted(with: ring),
    ] {
      let wrapper = TypeWrapper.holding("value", transformer: transformer)
      let old = try wrapper.data()
      #expect(try wrapper.data() == old)
      ring.rotate(adding: try SecretKey())
      ring.removeOlder()
      #expect(try transformer.fromData(wrapper.data()) == "value")
    }
  }
}

/// A store whose writes can be held after they received their value and before they store it.
private final class HeldStorage: SimpleStorage, UpdateableStorage {
  typealias Key = String
  typealias Value = Data

  private let base = DictionaryStorage<String, Data>()
  private let gate = Shared(Gate(holding: 0))

  func stop() -> Gate {
    let new = Gate(holding: 1)
    gate.change { $0 = new }
    return new
  }

  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    try blocking { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    await gate.value.pass()
    try blocking { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) async throws { try blocking { try base.removeObject(forKey: key) } }
  func removeAll() async throws { try blocking { try base.removeAll() } }
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { try blocking { try base.keys() } }

  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    while true {
      let seen = try blocking { try base.object(forKey: key) }
      var value = seen
      try modify(&value)
      await gate.value.pass()
      if base.objects[key] == seen {
        try blocking { try base.setObject(value, forKey: key) }
        return value
      }
    }
  }
}

/// A store whose writers wait at a gate before they store their value.
private final class GatedStorage: SyncSimpleStorage {
  typealias Key = String
  typealias Value = Data

  let gate = ThreadGate()
  private let base = DictionaryStorage<String, Data>()

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    if try base.keys().isEmpty { gate.pass() }
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws {}
  func keys() throws -> [String] { try base.keys() }
}

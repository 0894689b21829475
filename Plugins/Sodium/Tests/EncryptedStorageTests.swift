import Foundation
import Strata
import StrataSQLite
import StrataSodium
import TestSupport
import Testing

@Suite(.endsInTime) struct EncryptedStorageTests {
  /// A batch takes memory for the encrypted bytes, which the inner store receives together, and little more. Typed
  /// values are also encoded, and their bytes released one by one.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "the system does not report"),
    arguments: ["batch", "typed-batch"])
  func aBatchTakesItsSizeOnceMore(_ kind: String) throws {
    let megabytes = 96
    let (end, printed) = try SodiumRunner.run(kind, TemporaryFolder().url.path, "\(megabytes)")
    let text = String(decoding: printed, as: UTF8.self)
    #expect(end == .exit(0), "\(text)")
    let bytes = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(bytes < megabytes << 20 * 9 / 8)
  }

  private let bytes = DictionaryStorage<String, Data>()
  private let ring: KeyRing

  init() throws { ring = KeyRing(try SecretKey()) }

  @Test func storedBytesAreEncrypted() throws {
    let store = bytes.encrypted(with: ring)
    let plain = Data("a secret that is long enough to be found".utf8)
    try store.setObject(plain, forKey: "a")
    try store.setObjects(["b": plain], expiry: nil)
    for key in ["a", "b"] {
      let sealed = try #require(bytes.objects[key])
      #expect(sealed.range(of: plain) == nil)
      #expect(sealed.count == plain.count + 50)
      #expect(try store.object(forKey: key) == plain)
    }
    #expect(try store.entries(forKeys: ["a", "b", "c"]).mapValues(\.object) == ["a": plain, "b": plain])
    #expect(bytes.objects["a"] != bytes.objects["b"])
  }

  @Test func memoryInFrontReceivesInvalidations() async throws {
    let server = AnnouncingServer<Data>()
    let (mine, others) = (AnnouncingStorage(server), AnnouncingStorage(server))
    let writer = others.encrypted(with: ring)
    try blocking { try writer.setObject(Data("1".utf8), forKey: "a") }
    let chain = DictionaryStorage<String, Data>(peeks: true).combined(with: mine.encrypted(with: ring))
    #expect(try await chain.object(forKey: "a") == Data("1".utf8))
    #expect(chain.peek(forKey: "a") != nil)
    try blocking { try writer.setObject(Data("2".utf8), forKey: "a") }
    mine.deliver()
    #expect(try await chain.object(forKey: "a") == Data("2".utf8))
  }

  @Test func aValueThatWasMovedToAnotherKeyIsRefused() throws {
    let store = bytes.encrypted(with: ring)
    try store.setObject(Data("admin".utf8), forKey: "admin")
    try store.setObject(Data("guest".utf8), forKey: "guest")
    let sealed = bytes.objects
    try bytes.setObject(#require(sealed["admin"]), forKey: "guest")
    let error = try #require(throws: EncryptorError.self) { try store.object(forKey: "guest") }
    #expect(error == .failedToDecrypt)
    #expect(error.key as? String == "guest")
    #expect(throws: EncryptorError.failedToDecrypt) { try store.entries(forKeys: ["admin", "guest"]) }
    #expect(throws: EncryptorError.failedToDecrypt) { try store.allObjects() }
    #expect(bytes.objects["guest"] == sealed["admin"])
    #expect(try store.object(forKey: "admin") == Data("admin".utf8))
  }

  @Test func aValueOfAnotherStoreIsRefused() throws {
    let domains = ["", "a", "b", "ab"].map { bytes.encrypted(with: ring, domain: $0) }
    for (i, written) in domains.enumerated() {
      try written.setObject(Data([1]), forKey: "k")
      for (j, read) in domains.enumerated() {
        if i == j {
          #expect(try read.object(forKey: "k") == Data([1]))
        } else {
          #expect(throws: EncryptorError.failedToDecrypt) { try read.object(forKey: "k") }
        }
      }
    }
  }

  @Test func domainAndKeyAreSeparatedUnambiguously() throws {
    try bytes.encrypted(with: ring, domain: "a").setObject(Data([1]), forKey: "bc")
    try bytes.setObject(#require(bytes.objects["bc"]), forKey: "c")
    let other = bytes.encrypted(with: ring, domain: "ab")
    #expect(throws: EncryptorError.failedToDecrypt) { try other.object(forKey: "c") }
    // An identity made of a text is never equal to the identity of an entry.
    try bytes.setObject(ring.encrypt(Data([1]), for: "\u{1}a"), forKey: "a")
    #expect(throws: EncryptorError.failedToDecrypt) { try bytes.encrypted(with: ring).object(forKey: "a") }
  }

  @Test func canonicallyEqualKeysAreOneEntry() throws {
    let store = bytes.encrypted(with: ring, domain: "caf\u{E9}")
    try store.setObject(Data([1]), forKey: "caf\u{E9}")
    #expect(try bytes.encrypted(with: ring, domain: "cafe\u{301}").object(forKey: "cafe\u{301}") == Data([1]))
  }

  @Test func anEntryHasNoFilePath() throws {
    let disk = try DiskStorage<Int>(
      config: DiskConfig(name: "store", directory: TemporaryFolder().url, layout: .files))
    let store = disk.encrypted(with: ring)
    try store.setObject(noise(100_000), forKey: 1)
    #expect(try disk.entry(forKey: 1).filePath != nil)
    #expect(try store.entry(forKey: 1).filePath == nil)
    #expect(try store.entries(forKeys: [1])[1]?.filePath == nil)
  }

  @Test func otherCallsArePassedToTheInnerStore() async throws {
    let time = ManualClock()
    let bytes = DictionaryStorage<String, Data>(clock: time.clock)
    let store = bytes.encrypted(with: ring)
    try blocking {
      try store.setObject(Data([1]), forKey: "a", expiry: .seconds(10))
      try store.setObject(Data([2]), forKey: "b")
      #expect(try store.expiryIfPresent(forKey: "a") == bytes.expiryIfPresent(forKey: "a"))
      #expect(store.cachedEntry(forKey: "b") == .found(Entry(object: Data([2]))))
      #expect(store.cachedEntry(forKey: "c") == .absent)
      #expect(store.cachedExpiry(forKey: "b") == .found(.never))
      #expect(store.peek(forKey: "b") == nil)
      time.advance(by: 11)
      #expect(try store.keys() == ["b"])
      #expect(try store.objectIfPresent(forKey: "a") == nil)
      try store.removeExpiredObjects()
      #expect(Set(bytes.objects.keys) == ["b"])
      try store.setObjects(["c": Data(), "d": Data()], expiry: nil)
      try store.removeObjects(forKeys: ["c"])
      try store.removeObject(forKey: "d")
      #expect(Set(bytes.objects.keys) == ["b"])
      try store.removeAll()
      #expect(bytes.objects.isEmpty)
      #expect(store.coordinator === bytes.coordinator)
      #expect(!store.mayBlock)
    }
  }

  @Test func asynchronousStoresAreEncrypted() async throws {
    let slow = SlowStorage(bytes)
    let store = slow.encrypted(with: ring)
    try await store.setObject(Data([1]), forKey: "a", expiry: nil)
    try await store.setObjects(["b": Data([2]), "c": Data([3])], expiry: nil)
    #expect(bytes.objects["a"]?.count == 51)
    #expect(try await store.object(forKey: "a") == Data([1]))
    #expect(
      try await store.entries(forKeys: ["b", "c", "d"]).mapValues(\.object) == [
        "b": Data([2]), "c": Data([3]),
      ])
    try await store.removeObjects(forKeys: ["b"])
    try await store.removeObject(forKey: "c")
    #expect(try await store.keys() == ["a"])
    let sealed = try #require(bytes.objects["a"])
    try blocking { try bytes.setObject(sealed, forKey: "z") }
    await #expect(throws: EncryptorError.failedToDecrypt) { try await store.object(forKey: "z") }
    await #expect(throws: EncryptorError.failedToDecrypt) { try await store.entries(forKeys: ["z"]) }
    try await store.removeAll()
    #expect(bytes.objects.isEmpty)
  }

  @Test func updatesAreAtomicOverAnAtomicStore() throws {
    let table = try SQLiteStorage<String>(
      config: SQLiteConfig(path: TemporaryFolder().url.appending(path: "store.db").path))
    let store = table.encrypted(with: ring)
    try store.setObject(Data([1]), forKey: "n", expiry: .date(Date(timeIntervalSince1970: 4e9)))
    var runs = 0
    let stored = try store.update(forKey: "n") { value in
      runs += 1
      if runs == 1 {
        try table.removeObject(forKey: "other")
        let meanwhile = try ring.encrypt(Data([41]), for: .none)
        #expect(throws: StorageError.deadlock) { try table.setObject(meanwhile, forKey: "n") }
      }
      value[0] += 1
    }
    #expect(stored == Data([2]))
    #expect(try store.object(forKey: "n") == Data([2]))
    #expect(try store.expiryIfPresent(forKey: "n") == .date(Date(timeIntervalSince1970: 4e9)))
    #expect(throws: Failure.first) { try store.update(forKey: "n") { _ in throw Failure.first } }
    #expect(throws: StorageError.notFound) { try store.update(forKey: "none") { _ in } }
    #expect(try store.object(forKey: "n") == Data([2]))
  }

  @Test func anEncryptedStoreCanWrapAnother() throws {
    let other = KeyRing(try SecretKey())
    let store = bytes.encrypted(with: ring).encrypted(with: other, domain: "outer")
    try store.setObject(Data([1]), forKey: "a")
    #expect(try store.object(forKey: "a") == Data([1]))
    #expect(bytes.objects["a"]?.count == 101)
    other.rotate(adding: try SecretKey())
    ring.rotate(adding: try SecretKey())
    #expect(try store.reencrypt().rewritten == 1)
    #expect(try store.object(forKey: "a") == Data([1]))
    try store.removeAll()
  }

  @Test func anEncryptedStoreCanBeTheBackOfAChain() async throws {
    let disk = try DiskStorage<String>(config: DiskConfig(name: "store", directory: TemporaryFolder().url))
    let store = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: disk.encrypted(with: ring),
      transformer: Transformer.codable([String].self).zlib())
    let words = Array(repeating: "needle", count: 1000)
    try await store.async.setObject(words, forKey: "a")
    try await store.async.removeInMemoryObject(forKey: "a")
    #expect(try await store.async.object(forKey: "a") == words)
    // The value was compressed before it was encrypted: otherwise it could not be so short.
    let sealed = try await onThread { try disk.object(forKey: "a") }
    #expect(sealed.count < 300)
    ring.rotate(adding: try SecretKey())
    try await store.async.removeInMemoryObject(forKey: "a")
    #expect(try await store.async.object(forKey: "a") == words)
    #expect(try await onThread { try ring.isCurrent(disk.object(forKey: "a")) })
  }

  @Test func damagedValuesThrowAndAreLeftUnchanged() throws {
    let store = bytes.encrypted(with: ring)
    try store.setObject(Data([1]), forKey: "a")
    var damaged = try #require(bytes.objects["a"])
    damaged[40] ^= 1
    try bytes.setObject(damaged, forKey: "a")
    #expect(throws: EncryptorError.failedToDecrypt) { try store.objectIfPresent(forKey: "a") }
    #expect(store.cachedEntry(forKey: "a") == .unknown)
    #expect(try store.objectExists(forKey: "a"))
    #expect(bytes.objects["a"] == damaged)
  }

  @Test func aPublicKeyWritesAndOnlyItsPairReads() throws {
    let owner = try KeyPair()
    let inbox = bytes.encrypted(with: owner.publicKey, domain: "inbox")
    try inbox.setObject(Data([1]), forKey: "a")
    let error = try #require(throws: EncryptorError.self) { try inbox.object(forKey: "a") }
    #expect(error.errorMessage.contains("KeyPair"))
    #expect(try bytes.encrypted(with: owner, domain: "inbox").object(forKey: "a") == Data([1]))
    #expect(throws: EncryptorError.failedToDecrypt) {
      try bytes.encrypted(with: KeyPair(), domain: "inbox").object(forKey: "a")
    }
  }
}

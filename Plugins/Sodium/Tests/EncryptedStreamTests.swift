import Foundation
import Strata
import StrataSodium
import TestSupport
import Testing

/// Values that are encrypted and decrypted a part at a time.
@Suite("Encrypted streams", .timeLimit(.minutes(5)), .endsInTime)
struct EncryptedStreamTests {
  private let value = noise(1_300_000)
  private let parts = PartStorage()

  @Test("a streamed value is encrypted in parts, and read by ranges and as a whole")
  func roundTrip() async throws {
    let store = parts.encrypted(with: try SecretKey(), domain: "films")
    try await store.write(forKey: "a", from: PartSequence(value))
    let sealed = try #require(parts.stored("a"))
    #expect(parts.counts.appended == 7)
    #expect(sealed.range(of: value.prefix(16)) == nil)
    #expect(try await store.read(forKey: "a").data() == value)
    #expect(try await store.read(forKey: "a", range: 262_140..<262_150).data() == value[262_140..<262_150])
    #expect(try await store.object(forKey: "a") == value)
    // The same bytes under another key.
    try await parts.setObject(sealed, forKey: "b")
    await #expect(throws: EncryptorError.failedToDecrypt) { try await store.read(forKey: "b").data() }
    await #expect(throws: EncryptorError.failedToDecrypt) { try await store.object(forKey: "b") }
    try await store.setObject(value, forKey: "c")
    #expect(try await store.read(forKey: "c", range: 7..<9).data() == value[7..<9])
  }

  @Test("each change of the stored bytes is refused, and no wrong byte is returned", arguments: 0..<16)
  func tampered(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let store = parts.encrypted(with: try SecretKey())
    try await store.write(forKey: "a", from: PartSequence(value))
    let place = Int.random(in: 0..<(parts.stored("a")?.count ?? 0), using: &generator)
    parts.tamper("a") { data in
      var data = data
      switch seed % 4 {
      case 0: data[place] ^= 16
      case 1: data = data.prefix(place)
      case 2: data.remove(at: place)
      default: data.insert(0, at: place)
      }
      return data
    }
    var read = Data()
    await #expect(throws: (any Error).self) {
      for try await part in try await store.read(forKey: "a") { read += part }
    }
    #expect(read == value.prefix(read.count))
    #expect(read.count < value.count)
  }

  @Test("a streamed value is encrypted again with a new key, and stays in parts")
  func rotation() async throws {
    let ring = KeyRing(try SecretKey())
    let store = parts.encrypted(with: ring)
    try await store.write(forKey: "a", from: PartSequence(value))
    try await store.setObject(value, forKey: "b")
    ring.rotate(adding: try SecretKey())
    #expect(try await store.read(forKey: "a").data() == value)
    let done = try await store.reencrypt()
    #expect(done.rewritten == 2)
    ring.removeOlder()
    #expect(
      try await store.read(forKey: "a", range: 1_000_000..<1_000_005).data() == value[1_000_000..<1_000_005])
    #expect(try await store.object(forKey: "a") == value)
    #expect(try await store.object(forKey: "b") == value)
    let sealed = try #require(parts.stored("a"))
    #expect(sealed.count > value.count + 5 * 40, "each part has a nonce and a tag")
  }

  @Test("a writer that has begun with the old key is waited for")
  func writerDuringRotation() async throws {
    let ring = KeyRing(try SecretKey())
    let store = parts.encrypted(with: ring)
    let staged = try await store.stage("a", nil, [])
    try await staged.append(value)
    ring.rotate(adding: try SecretKey())
    let isDone = Locked(false)
    let reencryption = Task {
      let done = try await store.reencrypt()
      isDone.withLock { $0 = true }
      return done
    }
    try await staged.append(value)
    #expect(isDone.withLock { $0 } == false)
    try await staged.commit(ifAbsent: false)
    #expect(try await reencryption.value.rewritten == 1)
    ring.removeOlder()
    #expect(try await store.object(forKey: "a") == value + value)
  }

  @Test("compressed and encrypted by a transformer, behind memory")
  func transformer() async throws {
    let folder = TemporaryFolder()
    let store = try Storage<String, Data>(
      diskConfig: DiskConfig(name: "disk", directory: folder.url),
      transformer: .data.zlib().encrypted(with: try SecretKey()))
    let text = prose(3_000_000)
    try await store.write(forKey: "a", from: PartSequence(text))
    #expect(
      try await store.read(forKey: "a", range: 2_000_000..<2_000_040).data() == text[2_000_000..<2_000_040])
    #expect(try blocking { try store.object(forKey: "a") } == text)
    #expect(try #require(store.totalDiskStorageSize) < 100_000)
  }
}

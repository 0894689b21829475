import Foundation
import Strata
import TestSupport
import Testing

/// Values that are streamed through a typed view: they are transformed a part at a time.
@Suite("Streams of typed views", .timeLimit(.minutes(5)), .endsInTime)
struct TypedStreamTests {
  static let sizes = [0, 1, 1000, 262_143, 262_144, 262_145, 524_288, 1_000_007]

  enum View: String, CaseIterable {
    case plain, zlib, sealed, zlibSealed

    var transformer: Transformer<Data> {
      switch self {
      case .plain: .data
      case .zlib: .data.zlib(level: 1)
      case .sealed: .data.then(.checked)
      case .zlibSealed: .data.zlib(level: 1).then(.checked).confidential()
      }
    }
  }

  @Test("what is streamed is read as a whole, by ranges and streamed", arguments: View.allCases, sizes)
  func roundTrip(view: View, size: Int) async throws {
    let parts = PartStorage()
    let memory = MemoryStorage<String, TypeWrapper>()
    let store = AsyncStorage(front: memory, back: parts, transformer: view.transformer)
    let value = noise(size, seed: 3)
    try await store.setObject(Data("old".utf8), forKey: "a")
    try await store.write(forKey: "a", expiry: .seconds(100), from: PartSequence(value))
    #expect(memory.peek(forKey: "a") == nil)
    let bytes = try await store.read(forKey: "a")
    #expect(bytes.length == size)
    #expect(bytes.expiry != .never)
    #expect(try await bytes.data() == value)
    #expect(try await bytes.data() == value, "an iteration begins again")
    for range in [0..<1, 0..<size, size / 2..<size / 2 + 10, max(0, size - 3)..<size + 100, size..<size + 1] {
      let part = try await store.read(forKey: "a", range: range)
      #expect(try await part.data() == value.dropFirst(range.lowerBound).prefix(range.count), "\(range)")
    }
    #expect(try await store.object(forKey: "a") == value)
    #expect(try await store.keys() == ["a"])
    // What is in memory as a whole is streamed from there.
    let opened = parts.counts.opened
    #expect(try await store.read(forKey: "a", range: 0..<5).data() == value.prefix(5))
    #expect(parts.counts.opened == opened)
    // Parts are as large as those of the source, or 256 KiB and what the transformer adds.
    #expect(parts.counts.largest < 264_000)
    try await store.removeObject(forKey: "a")
    await #expect(throws: StorageError.notFound) { try await store.read(forKey: "a") }
  }

  @Test("what was stored as a whole is streamed", arguments: View.allCases)
  func wholeValues(view: View) async throws {
    let store = AsyncStorage(back: PartStorage(), transformer: view.transformer)
    let value = noise(500_000)
    try await store.setObject(value, forKey: "a")
    #expect(try await store.read(forKey: "a").data() == value)
    #expect(try await store.read(forKey: "a", range: 400_000..<400_100).data() == value[400_000..<400_100])
  }

  @Test("another view of the store decodes what was streamed")
  func retyped() async throws {
    let store = AsyncStorage(back: PartStorage(), transformer: .data.zlib().then(.checked))
    let json = Data("[\(String(repeating: "1,", count: 400_000))2]".utf8)
    try await store.write(forKey: "a", from: PartSequence(json))
    #expect(try await store.transform(to: [Int].self).object(forKey: "a").count == 400_001)
  }

  @Test("a view of another type has no streams of its bytes")
  func otherTypes() async throws {
    let store = AsyncStorage(back: PartStorage(), transformer: .codable(Int.self))
    try await store.setObject(5, forKey: "a")
    let error = await #expect(throws: StorageError.self) { try await store.stream("a", nil, []) }
    #expect(error == .typeNotMatch)
    // JSON of data is Base64: it cannot be made a part at a time, and is made at the end.
    let json = AsyncStorage(back: PartStorage(), transformer: .codable(Data.self))
    try await json.write(forKey: "a", from: PartSequence(noise(300_000)))
    #expect(try await json.object(forKey: "a") == noise(300_000))
    #expect(try await json.read(forKey: "a", range: 7..<9).data() == noise(300_000)[7..<9])
  }

  @Test("a value that is changed in the store is read up to the change, and not beyond", arguments: 0..<24)
  func damage(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let parts = PartStorage()
    let store = AsyncStorage(back: parts, transformer: .data.then(.checked))
    let value = noise(1_100_000, seed: seed)
    try await store.write(forKey: "a", from: PartSequence(value))
    try await store.write(forKey: "b", from: PartSequence(noise(1_100_000, seed: seed + 1)))
    let other = try #require(parts.stored("b"))
    let kind = Int.random(in: 0..<6, using: &generator)
    let place = Int.random(in: 0..<other.count, using: &generator)
    let size = Int.random(in: 1...400_000, using: &generator)
    parts.tamper("a") { data in
      var data = data
      switch kind {
      case 0: data[place] ^= 1 << UInt8(seed % 8)
      case 1: data = data.prefix(place)
      case 2:
        data.replaceSubrange(
          place..<min(place + size, data.count), with: other[place..<min(place + size, data.count)])
      case 3: data.removeSubrange(place..<min(place + size, data.count))
      case 4: data.insert(contentsOf: other.prefix(size), at: place)
      default:
        // The second and the third part change places.
        let part = 262_144 + 24 + 8
        let (first, second) = (data[32 + part..<32 + 2 * part], data[32 + 2 * part..<32 + 3 * part])
        data = data[..<(32 + part)] + second + first + data[(32 + 3 * part)...]
      }
      return data
    }
    var read = Data()
    await #expect(throws: (any Error).self) {
      for try await part in try await store.read(forKey: "a") { read.append(part) }
    }
    #expect(read.count < value.count)
    #expect(read == value.prefix(read.count))
    await #expect(throws: (any Error).self) { try await store.object(forKey: "a") }
  }

  @Test("an index that states an absurd length is refused")
  func absurdIndex() async throws {
    let parts = PartStorage()
    // Nothing but the index itself protects it.
    let bare = ByteTransformer(encode: { $0 }, decode: { $0 })
    let store = AsyncStorage(back: parts, transformer: .data.then(bare))
    try await store.write(forKey: "a", from: PartSequence(noise(1_100_000)))
    parts.tamper("a") { data in
      var data = data
      // Behind the identity and the number of the index, which has five parts: the length of the value.
      let start = data.count - 16 - (24 + 16 + 5 * 4) + 24
      data.replaceSubrange(start..<start + 8, with: [UInt8](repeating: 0xFF, count: 7) + [0x7F])
      return data
    }
    await #expect(throws: StorageError.malformedFileAttributes) { try await store.read(forKey: "a") }
    let error = await #expect(throws: StorageError.self) { try await store.object(forKey: "a") }
    #expect(error?.cause as? StorageError == .malformedFileAttributes)
  }

  @Test("a writer that fails or is cancelled leaves the old value", arguments: [false, true])
  func failedWriter(isCancelled: Bool) async throws {
    let parts = PartStorage()
    let store = AsyncStorage(back: parts, transformer: .data.then(.checked))
    try await store.setObject(Data([1]), forKey: "a")
    if isCancelled {
      let writer = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.write(forKey: "a", from: PartSequence(noise(900_000)))
      }
      await #expect(throws: CancellationError.self) { try await writer.value }
    } else {
      await #expect(throws: Failure.second) {
        try await store.write(
          forKey: "a", from: PartSequence(noise(900_000), at: 900_000) { throw Failure.second })
      }
      parts.limit(500_000)
      await #expect(throws: StorageError.tooLarge) {
        try await store.write(forKey: "a", from: PartSequence(noise(900_000)))
      }
    }
    #expect(try await store.object(forKey: "a") == Data([1]))
    #expect(parts.counts.discarded == (isCancelled ? 1 : 2))
  }
}

extension ByteTransformer {
  /// A transformation that detects each change of its bytes, as an authenticated cipher does.
  static var checked: ByteTransformer {
    ByteTransformer(
      encode: { data in
        withUnsafeBytes(of: sum(data)) { data + $0 }
      },
      decode: { data in
        guard data.count >= 8, withUnsafeBytes(of: sum(data.dropLast(8)), { data.suffix(8) == Data($0) })
        else {
          throw EncryptorError.failedToDecrypt
        }
        return data.dropLast(8)
      }
    ).confidential()
  }

  private static func sum(_ data: Data) -> UInt64 { data.withUnsafeBytes { XXH64.hash($0) } }
}

import Foundation
import Strata
import StrataLZ4
import StrataZstd
import TestSupport
import Testing

@testable import StrataEngines

@Suite("Compressors read each other's output if so configured", .endsInTime)
struct CompressionSeamTests {
  static let compressions: [(String, Compression)] = [
    ("zlib", .zlib()), ("zstd", .zstd()), ("lz4", .lz4()),
  ]
  static let names = compressions.map(\.0)

  static func named(_ name: String) throws -> Compression {
    try #require(compressions.first { $0.0 == name }).1
  }

  @Test("each reads the output of all others", arguments: names, names)
  func reading(_ writer: String, _ reader: String) throws {
    let old = ByteTransformer.compressed(by: try Self.named(writer))
    let others = try Self.names.filter { $0 != reader }.map(Self.named)
    let new = ByteTransformer.compressed(by: try Self.named(reader), reading: others)
    for data in [prose(3000), noise(3000), Data(), Data([0xff]), prose(300_000)] {
      #expect(try new.decode(old.encode(data)) == data)
    }
  }

  @Test("otherwise the error says that the bytes have another format", arguments: names, names)
  func notReading(_ writer: String, _ reader: String) throws {
    guard writer != reader else { return }
    let bytes = try ByteTransformer.compressed(by: Self.named(writer)).encode(prose(3000))
    #expect(throws: StorageError.transformerFail) {
      try ByteTransformer.compressed(by: Self.named(reader)).decode(bytes)
    }
  }

  @Test("bytes of no compressor throw", arguments: names)
  func plain(_ name: String) throws {
    let others = try Self.names.map(Self.named)
    let transformer = ByteTransformer.compressed(by: try Self.named(name), reading: others)
    for bytes in [Data(), Data("{}".utf8), Data([0x28]), Data([0x78]), Data([0x28, 0xb5, 0x2f, 0xfd])] {
      #expect(throws: StorageError.transformerFail) { try transformer.decode(bytes) }
    }
  }

  @Test("bytes that do not shrink are stored unchanged, and read by all", arguments: names, names)
  func stored(_ writer: String, _ reader: String) throws {
    let bytes = try ByteTransformer.compressed(by: Self.named(writer)).encode(noise(1000))
    #expect(bytes == [0xff] + noise(1000))
    #expect(try ByteTransformer.compressed(by: Self.named(reader)).decode(bytes) == noise(1000))
  }

  @Test("bytes that are compressed already are read unchanged", arguments: names)
  func twice(_ name: String) throws {
    let once = ByteTransformer.compressed(by: try Self.named(name))
    for other in Self.compressions.map(\.1) {
      let bytes = try ByteTransformer.compressed(by: other).encode(prose(500))
      #expect(try once.decode(once.encode(bytes)) == bytes)
    }
  }

  @Test("a store migrates with each write")
  func moving() throws {
    let folder = TemporaryFolder()
    let disk = try DiskStorage<String>(config: DiskConfig(name: "a", directory: folder.url))
    let old = Array(repeating: "fox", count: 100)
    try disk.transform(to: .codable([String].self).zlib()).setObject(old, forKey: "old")
    let moving = disk.transform(to: .codable([String].self).zstd(reading: [.zlib()]))
    #expect(try moving.object(forKey: "old") == old)
    try moving.setObject(old, forKey: "new")
    #expect(try disk.object(forKey: "old").first == 0x78)
    #expect(try disk.object(forKey: "new").first == 0x28)
    #expect(throws: StorageError.self) {
      try disk.transform(to: .codable([String].self).zlib()).object(forKey: "new")
    }
  }

  @Test("a live object is available only to views that read the same bytes")
  func formats() throws {
    let first = try ZstdDictionary.trained(on: records(200))
    let second = try ZstdDictionary.trained(on: records(200, seed: 9, kind: "city"))
    func wrapper(_ transformer: Transformer<[Int]>) -> TypeWrapper { .holding([1], transformer: transformer) }
    let json = Transformer.codable([Int].self)
    #expect(wrapper(json.zstd(level: 1)).cachedObject(as: json.zstd(level: 9)) == [1])
    #expect(wrapper(json.zstd(dictionary: first)).cachedObject(as: json.zstd(dictionary: first)) == [1])
    for (one, other) in [
      (json.zstd(), json.zlib()), (json.zstd(), json.lz4()), (json.zstd(), json.zstd(dictionary: first)),
      (json.zstd(dictionary: first), json.zstd(dictionary: second)),
      (json.zstd(), json.zstd(reading: [.zlib()])),
    ] {
      #expect(wrapper(one).cachedObject(as: other) == nil)
      #expect(wrapper(other).cachedObject(as: one) == nil)
    }
  }
}

import CZstd
import Foundation
import Strata
import StrataZstd
import TestSupport
import Testing

@Suite("zstd: dictionaries", .endsInTime)
struct DictionaryTests {
  private let samples = records(300)
  private let values = records(100, seed: 2)

  private func size(_ transformer: ByteTransformer) throws -> Int {
    try values.reduce(0) { try $0 + transformer.encode($1).count }
  }

  @Test("small values take half the space with a dictionary, and are read unchanged")
  func worth() throws {
    let trained = ByteTransformer.zstd(dictionary: try .trained(on: samples))
    #expect(try size(trained) * 2 < size(.zstd()))
    for value in values { #expect(try trained.decode(trained.encode(value)) == value) }
  }

  @Test("each level uses the dictionary", arguments: [-5, 1, 9, 19])
  func levels(_ level: Int) throws {
    let dictionary = try ZstdDictionary.trained(on: samples)
    let trained = ByteTransformer.zstd(level: level, dictionary: dictionary)
    #expect(try size(trained) * 2 < values.map(\.count).reduce(0, +))
    #expect(try ByteTransformer.zstd(dictionary: dictionary).decode(trained.encode(values[0])) == values[0])
  }

  @Test(
    "values written with a dictionary end with the checksum that the library expects",
    arguments: [50, 340, 5000, 65_536, 300_000])
  func checksum(_ size: Int) throws {
    let dictionary = try ZstdDictionary.trained(on: samples)
    let value = Data(records(size / 300 + 1, seed: 3).joined().prefix(size))
    let bytes = try ByteTransformer.zstd(dictionary: dictionary).encode(value)
    let unchecked = try ByteTransformer.zstd(dictionary: dictionary, checksum: false).encode(value)
    #expect(bytes.count == unchecked.count + 4)
    // The bit of the frame header that is set if there is a checksum.
    #expect(bytes[4] & 4 == 4 && unchecked[4] & 4 == 0)
    #expect(try read(bytes, dictionary) == .success(value))
    #expect(try read(unchecked, dictionary) == .success(value))
    for offset in 1...4 {
      var damaged = bytes
      damaged[bytes.count - offset] ^= 1
      #expect(try read(damaged, dictionary) == .failure(ZSTD_error_checksum_wrong))
    }
  }

  /// Decompresses with the library alone.
  private func read(_ frame: Data, _ dictionary: ZstdDictionary) throws -> Result<Data, ZSTD_ErrorCode> {
    let context = try #require(ZSTD_createDCtx())
    defer { ZSTD_freeDCtx(context) }
    var room = [UInt8](repeating: 0, count: 1 << 20)
    let count = ZSTD_decompress_usingDict(
      context, &room, room.count, Array(frame), frame.count, Array(dictionary.bytes), dictionary.bytes.count)
    return ZSTD_isError(count) == 0 ? .success(Data(room[..<count])) : .failure(ZSTD_getErrorCode(count))
  }

  @Test("a kept context forgets level, checksum and dictionary of the call before")
  func settings() throws {
    let bytes = try [samples, records(300, seed: 5)].map { try ZstdDictionary.trained(on: $0).bytes }
    func ways() throws -> [ByteTransformer] {
      let dictionaries = try bytes.map { try ZstdDictionary($0) }
      return dictionaries.flatMap { dictionary -> [ByteTransformer] in
        [
          .zstd(dictionary: dictionary), .zstd(level: 1, dictionary: dictionary),
          .zstd(dictionary: dictionary, checksum: false), .zstd(), .zstd(level: 19), .zstd(checksum: false),
        ]
      }
    }
    let expected = try ways().map { try $0.encode(values[0]) }
    #expect(Set(expected).count > 6)
    var generator = SeededGenerator(seed: 7)
    // The dictionaries of each round are freed, and the next dictionaries have the same addresses.
    for round in 0..<20 {
      for (place, way) in try ways().enumerated().shuffled(using: &generator) {
        #expect(try way.encode(values[0]) == expected[place], "round \(round), place \(place)")
      }
    }
  }

  @Test("the number of a dictionary takes two bytes, and equal samples give the same number")
  func number() throws {
    let dictionary = try ZstdDictionary.trained(on: samples)
    #expect((32768...65535).contains(dictionary.id))
    #expect(try ZstdDictionary.trained(on: samples).bytes == dictionary.bytes)
    #expect(try ZstdDictionary.trained(on: records(300, seed: 5)).id != dictionary.id)
    #expect(try ZstdDictionary(dictionary.bytes).id == dictionary.id)
  }

  @Test("the error for an unknown dictionary names it")
  func unknown() throws {
    let dictionary = try ZstdDictionary.trained(on: samples)
    let bytes = try ByteTransformer.zstd(dictionary: dictionary).encode(values[0])
    let other = try ZstdDictionary.trained(on: records(300, seed: 5))
    for transformer in [.zstd(), .zstd(dictionary: other), .zlib(reading: [.zstd(dictionary: other)])]
      as [ByteTransformer]
    {
      let error = try #require(throws: StorageError.self) { try transformer.decode(bytes) }
      #expect(error == .transformerFail)
      #expect((error.cause as? CompressionError)?.code == .unknownDictionary)
      #expect(error.message.contains("\(dictionary.id)"))
    }
  }

  @Test("another dictionary with the same number never yields a wrong value")
  func wrong() throws {
    let dictionary = try ZstdDictionary.trained(on: samples)
    var forged = try ZstdDictionary.trained(on: records(300, seed: 5)).bytes
    forged.replaceSubrange(4..<8, with: dictionary.bytes[4..<8])
    let other = ByteTransformer.zstd(dictionary: try ZstdDictionary(forged))
    for value in values {
      let bytes = try ByteTransformer.zstd(dictionary: dictionary).encode(value)
      do { #expect(try other.decode(bytes) == value) } catch {
        #expect(error as? StorageError == .transformerFail)
      }
    }
  }

  @Test("values written without a dictionary, or with an older one, are read if so configured")
  func moving() throws {
    let old = try ZstdDictionary.trained(on: samples)
    let new = try ZstdDictionary.trained(on: records(300, seed: 5))
    let transformer = ByteTransformer.zstd(dictionary: new, reading: [.zstd(dictionary: old), .zlib()])
    for writer in [.zstd(), .zstd(dictionary: old), .zlib(), transformer] as [ByteTransformer] {
      #expect(try transformer.decode(writer.encode(values[0])) == values[0])
    }
  }

  @Test(
    "bytes that are no dictionary are refused", arguments: [Data(), Data("no dictionary".utf8), noise(1000)])
  func none(_ bytes: Data) throws {
    let error = try #require(throws: CompressionError.self) { try ZstdDictionary(bytes) }
    #expect(error.code == .invalidDictionary)
  }

  @Test("a damaged dictionary is refused, or still valid")
  func damaged() throws {
    let bytes = try ZstdDictionary.trained(on: samples, maximumSize: 4096).bytes
    for count in stride(from: 0, to: 300, by: 7) {
      do { _ = try ZstdDictionary(bytes.prefix(count)) } catch let error as CompressionError {
        #expect(error.code == .invalidDictionary)
      }
    }
  }

  @Test(
    "samples that make no dictionary throw",
    arguments: [[], [Data("a".utf8)], [noise(10), noise(10, seed: 2)]])
  func untrainable(_ samples: [Data]) throws {
    let error = try #require(throws: CompressionError.self) { try ZstdDictionary.trained(on: samples) }
    #expect(error.code == .trainingFailed)
    #expect(error.message.contains("\(samples.count) samples"))
  }

  @Test("a dictionary is trained on the values of a store, with await and without")
  func fromStore() async throws {
    let store = MemoryStorage<String, String>()
    for (index, sample) in samples.enumerated() {
      try await store.setObject(String(decoding: sample, as: UTF8.self), forKey: "\(index)")
    }
    func train() throws -> ZstdDictionary {
      try .trained(on: store, as: .codable(String.self), samples: 200, maximumSize: 8192)
    }
    let awaited = try await ZstdDictionary.trained(on: SlowStorage(store), as: .codable(String.self))
    for dictionary in [try train(), awaited] {
      let transformer = Transformer.codable(String.self).zstd(dictionary: dictionary)
      let text = String(decoding: values[0], as: UTF8.self)
      let bytes = try transformer.toData(text)
      #expect(bytes.count * 2 < values[0].count)
      #expect(try transformer.fromData(bytes) == text)
    }
  }
}

extension ZSTD_ErrorCode: @retroactive Error {}

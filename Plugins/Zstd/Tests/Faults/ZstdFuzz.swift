#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

#if !STRATA_FUZZER
  import StrataZstd
#endif

/// What the fuzzer does with some bytes, and with the seeds in every run of the tests: `make fuzz`.
///
/// The first byte chooses. Either the rest is read as a value that somebody wrote: no more than the limit may come of
/// it. Or it is a value that is written, changed in a place or not, and read: what comes of it is the value or an error.
enum ZstdFuzz {
  struct Failure: Error {
    let reason: String
  }

  private static let limit = 1 << 20
  private static let prepared = Result { try ZstdDictionary.trained(on: samples) }
  private static let transformers = Result {
    let dictionary = try prepared.get()
    let plain = ByteTransformer.zstd(maximumSize: limit)
    return [plain, .zstd(level: 1, dictionary: dictionary, reading: [.zstd()], maximumSize: limit)]
  }

  private static let samples = (0..<200).map { index in
    Data(
      "{\"id\":\(index * 7919),\"name\":\"user \(index % 31)\",\"tags\":[\"a\",\"b\"],\"isActive\":true}".utf8
    )
  }

  /// Throws a `Failure` if a promise is broken; a trap is one too.
  static func run(_ input: [UInt8]) throws {
    guard let choice = input.first else { return }
    let transformer = try transformers.get()[Int(choice & 1)]
    let rest = Data(input.dropFirst())
    if choice & 2 == 0 {
      guard let value = try decode(rest, transformer) else { return }
      guard value.count <= limit else { throw Failure(reason: "\(value.count) bytes were read") }
      try check(value, transformer)
    } else if choice & 4 == 0 {
      try check(rest, transformer)
    } else {
      try checkDamage(rest, transformer)
    }
    if choice & 8 != 0 { try checkDictionary(rest) }
  }

  private static func decode(_ data: Data, _ transformer: ByteTransformer) throws -> Data? {
    do { return try transformer.decode(data) } catch is StorageError { return nil }
  }

  private static func check(_ value: Data, _ transformer: ByteTransformer) throws {
    guard try transformer.decode(transformer.encode(value)) == value else {
      throw Failure(reason: "a value was not read as it was written")
    }
  }

  /// The first two bytes say which byte of what was written is changed, and the third how.
  private static func checkDamage(_ input: Data, _ transformer: ByteTransformer) throws {
    guard input.count > 3, input[2] != 0 else { return }
    let value = input.dropFirst(3) + samples[0] + input.dropFirst(3)
    var bytes = try transformer.encode(value)
    // What does not shrink is not checked: nothing does so here but to be stored.
    guard bytes[0] != 0 else { return }
    bytes[(Int(input[0]) << 8 | Int(input[1])) % bytes.count] ^= input[2]
    // Without its magic number, and with the zero of what is stored in its place, it is another kind of value.
    guard bytes[0] != 0, let read = try decode(bytes, transformer) else { return }
    guard read == value else { throw Failure(reason: "damage made another value") }
  }

  /// Bytes as a dictionary, behind the magic number and a number of their own.
  private static func checkDictionary(_ input: Data) throws {
    let bytes =
      try Data([0x37, 0xa4, 0x30, 0xec, 1, 0x80, 0, 0]) + (input.isEmpty ? prepared.get().bytes : input)
    do {
      let dictionary = try ZstdDictionary(bytes)
      try check(samples[1], .zstd(dictionary: dictionary))
    } catch is CompressionError {}
  }

  /// Where mutation begins.
  static var seeds: [[UInt8]] {
    get throws {
      let dictionary = try prepared.get()
      var seeds: [[UInt8]] = [
        [], [0], [0, 0, 1, 2], [8] + Array(dictionary.bytes.dropFirst(8).prefix(2000)),
      ]
      for (choice, transformer) in try transformers.get().enumerated() {
        for value in [samples[3], Data(count: 3000), Data((0..<100).map { _ in samples[5] }.joined())] {
          let bytes = Array(try transformer.encode(value))
          seeds += [
            [UInt8(choice)] + bytes, [UInt8(choice | 2)] + value, [UInt8(choice | 6), 0, 9, 3] + value,
          ]
        }
      }
      // A stream of unknown size, of one raw block.
      seeds.append([0, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x19, 0, 0, 65, 66, 67])
      return seeds
    }
  }
}

#if STRATA_FUZZER
  typealias Fuzzed = ZstdFuzz
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

#if !STRATA_FUZZER
  import StrataLZ4
#endif

/// What the fuzzer does with some bytes, and with the seeds in every run of the tests: `make fuzz`.
///
/// The first byte chooses. Either the rest is read as a value that somebody wrote: no more than the limit may come of
/// it. Or it is a value that is written, changed in a place or not, and read: what comes of it is the value or an error.
enum LZ4Fuzz {
  struct Failure: Error {
    let reason: String
  }

  private static let limit = 1 << 20
  private static let lz4 = ByteTransformer.lz4(maximumSize: limit)

  /// Throws a `Failure` if a promise is broken; a trap is one too.
  static func run(_ input: [UInt8]) throws {
    guard let choice = input.first else { return }
    let rest = Data(input.dropFirst())
    switch choice % 3 {
    case 0:
      guard let value = try decode(rest) else { return }
      guard value.count <= limit else { throw Failure(reason: "\(value.count) bytes were read") }
      try check(value)
    case 1: try check(rest)
    default: try checkDamage(rest)
    }
  }

  private static func decode(_ data: Data) throws -> Data? {
    do { return try lz4.decode(data) } catch is StorageError { return nil }
  }

  private static func check(_ value: Data) throws {
    guard try lz4.decode(lz4.encode(value)) == value else {
      throw Failure(reason: "a value was not read as it was written")
    }
  }

  /// The first two bytes say which byte of what was written is changed, and the third how.
  private static func checkDamage(_ input: Data) throws {
    guard input.count > 3, input[2] != 0 else { return }
    let value = input.dropFirst(3) + Data(count: 100) + input.dropFirst(3)
    var bytes = try lz4.encode(value)
    // What does not shrink is not checked: nothing does so here but to be stored.
    guard bytes[0] != 0 else { return }
    bytes[(Int(input[0]) << 8 | Int(input[1])) % bytes.count] ^= input[2]
    // Without its magic number, and with the zero of what is stored in its place, it is another kind of value.
    guard bytes[0] != 0, let read = try decode(bytes) else { return }
    guard read == value else { throw Failure(reason: "damage made another value") }
  }

  /// Where mutation begins.
  static var seeds: [[UInt8]] {
    get throws {
      var seeds: [[UInt8]] = [[], [0], [0, 0, 1, 2]]
      let text = Data((0..<100).flatMap { _ in Array("the quick brown fox; ".utf8) })
      for value in [text, Data(count: 3000), text.prefix(60)] {
        seeds += [[0] + Array(try lz4.encode(value)), [1] + value, [2, 0, 9, 3] + value]
      }
      // A frame without a size, of one block that is not compressed.
      seeds.append([0, 0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 3, 0, 0, 0x80, 1, 2, 3, 0, 0, 0, 0])
      return seeds
    }
  }
}

#if STRATA_FUZZER
  typealias Fuzzed = LZ4Fuzz
#endif

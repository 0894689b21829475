#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

/// The fuzz target of the compressors, for `make fuzz`. `make test` runs its seeds.
///
/// The first byte chooses between two checks. In one, the rest of the input is decompressed, and must not produce more
/// than the limit. In the other, the rest is compressed, possibly changed at one position, and decompressed: the result
/// must be the original or an error.
package struct CompressorFuzz: Sendable {
  package struct Failure: Error {
    let reason: String
  }

  /// The maximum size in bytes of a value, which the tested transformers must allow.
  package static let limit = 1 << 20

  private let transformers: [ByteTransformer]
  /// Text that compresses well.
  private let sample: Data

  package init(_ transformers: [ByteTransformer], sample: Data) {
    (self.transformers, self.sample) = (transformers, sample)
  }

  /// Throws a `Failure` if a promise is broken. A trap counts as broken too.
  package func run(_ input: [UInt8]) throws {
    guard let choice = input.first else { return }
    let transformer = transformers[Int(choice >> 2) % transformers.count]
    let rest = Data(input.dropFirst())
    switch choice & 3 {
    case 0, 1:
      guard let value = try decode(rest, transformer) else { return }
      guard value.count <= Self.limit else { throw Failure(reason: "\(value.count) bytes were read") }
      try check(value, transformer)
    case 2: try check(rest, transformer)
    default: try checkDamage(rest, transformer)
    }
  }

  private func decode(_ data: Data, _ transformer: ByteTransformer) throws -> Data? {
    do { return try transformer.decode(data) } catch is StorageError { return nil }
  }

  /// Checks that a compressed value is decompressed to the same bytes.
  package func check(_ value: Data, _ transformer: ByteTransformer) throws {
    guard try transformer.decode(transformer.encode(value)) == value else {
      throw Failure(reason: "a value was not read as it was written")
    }
  }

  /// The first two bytes of the input select the compressed byte to change, and the third the change.
  private func checkDamage(_ input: Data, _ transformer: ByteTransformer) throws {
    guard input.count > 3, input[2] != 0 else { return }
    let value = input.dropFirst(3) + sample + input.dropFirst(3)
    var bytes = try transformer.encode(value)
    // A value that does not shrink is stored without a checksum. Only the inner store could detect damage in it.
    guard bytes[0] != Self.storedMark else { return }
    bytes[(Int(input[0]) << 8 | Int(input[1])) % bytes.count] ^= input[2]
    // A change of five bits or more can turn the mark of a compressed value into the mark of an uncompressed one.
    guard bytes[0] != Self.storedMark, let read = try decode(bytes, transformer) else { return }
    guard read == value else { throw Failure(reason: "damage made another value") }
  }

  private static let storedMark: UInt8 = 0xff

  /// The inputs from which the fuzzer derives others.
  package var seeds: [[UInt8]] {
    get throws {
      var seeds: [[UInt8]] = [[], [0], [0, Self.storedMark, 1, 2]]
      for (index, transformer) in transformers.enumerated() {
        for value in [sample, Data(count: 3000), Data((0..<50).map { _ in sample }.joined()).prefix(3000)] {
          let choice = UInt8(index << 2)
          seeds += [[choice] + Array(try transformer.encode(value)), [choice | 2] + value]
          seeds.append([choice | 3, 0, 9, 3] + value)
        }
      }
      return seeds
    }
  }
}

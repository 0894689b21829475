#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

#if !STRATA_FUZZER
  import StrataLZ4
  import TestSupport
#endif

/// The fuzz target of LZ4: `CompressorFuzz` with its transformer.
enum LZ4Fuzz {
  private static let fuzz = CompressorFuzz(
    [.lz4(maximumSize: CompressorFuzz.limit)],
    sample: Data(count: 50) + "quick brown fox".utf8 + Data(count: 50))

  /// Throws if a promise is broken. A trap counts as a broken promise too.
  static func run(_ input: [UInt8]) throws { try fuzz.run(input) }

  /// The inputs from which the fuzzer starts to mutate.
  static var seeds: [[UInt8]] {
    get throws {
      // A frame without a size, with one uncompressed block.
      try fuzz.seeds
        + [[0, 0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 3, 0, 0, 0x80, 1, 2, 3, 0, 0, 0, 0]]
    }
  }
}

#if STRATA_FUZZER
  typealias Fuzzed = LZ4Fuzz
#endif

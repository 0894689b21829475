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

/// What the fuzzer of LZ4 does: that of all compressors.
enum LZ4Fuzz {
  private static let fuzz = CompressorFuzz(
    [.lz4(maximumSize: CompressorFuzz.limit)],
    sample: Data(count: 50) + "quick brown fox".utf8 + Data(count: 50))

  /// Throws if a promise is broken; a trap is one too.
  static func run(_ input: [UInt8]) throws { try fuzz.run(input) }

  /// Where mutation begins.
  static var seeds: [[UInt8]] {
    get throws {
      // A frame without a size, of one block that is not compressed.
      try fuzz.seeds
        + [[0, 0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 3, 0, 0, 0x80, 1, 2, 3, 0, 0, 0, 0]]
    }
  }
}

#if STRATA_FUZZER
  typealias Fuzzed = LZ4Fuzz
#endif

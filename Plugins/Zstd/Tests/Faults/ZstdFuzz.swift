#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

#if !STRATA_FUZZER
  import StrataZstd
  import TestSupport
#endif

/// The fuzz target of zstd: `CompressorFuzz`, without a dictionary and with one. If the first byte is 255, the bytes
/// behind it are used as a dictionary.
enum ZstdFuzz {
  private static let samples = (0..<200).map { index in
    Data(
      "{\"id\":\(index * 7919),\"name\":\"user \(index % 31)\",\"tags\":[\"a\",\"b\"],\"isActive\":true}".utf8
    )
  }
  private static let dictionary = Result { try ZstdDictionary.trained(on: samples, maximumSize: 2048) }
  private static let fuzz = Result {
    try CompressorFuzz(
      [
        .zstd(maximumSize: CompressorFuzz.limit),
        .zstd(level: 1, dictionary: dictionary.get(), maximumSize: CompressorFuzz.limit),
      ], sample: samples[3] + samples[5])
  }

  /// Throws if a promise is broken. A trap counts as a broken promise too.
  static func run(_ input: [UInt8]) throws {
    if input.first == 255 { try takeAsDictionary(Data(input.dropFirst())) } else { try fuzz.get().run(input) }
  }

  /// Adds a dictionary's magic number and number in front, so that mutation need not find them.
  private static func takeAsDictionary(_ bytes: Data) throws {
    let whole = Data([0x37, 0xa4, 0x30, 0xec, 1, 0x80, 0, 0]) + bytes
    do {
      let dictionary = try ZstdDictionary(whole)
      try fuzz.get().check(samples[1], .zstd(dictionary: dictionary))
    } catch is CompressionError {}
  }

  /// The inputs from which the fuzzer starts to mutate.
  static var seeds: [[UInt8]] {
    get throws {
      try fuzz.get().seeds
        + [
          [255] + dictionary.get().bytes.dropFirst(8),
          // A stream of unknown size, with one raw block.
          [0, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x19, 0, 0, 65, 66, 67],
        ]
    }
  }
}

#if STRATA_FUZZER
  typealias Fuzzed = ZstdFuzz
#endif

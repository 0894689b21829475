import Foundation
import StrataZstd
import TestSupport
import Testing

/// Exchanges data with another implementation: the tool of Debian's package `zstd`.
@Suite("zstd and its tool", .endsInTime)
struct ZstdToolTests {
  private static let hasTool: Bool = {
    do { return try Program.run(["zstd", "--version"]).end == .exit(0) } catch { return false }
  }()

  private func run(_ words: [String], on input: Data) throws -> Data {
    let (end, printed) = try Program.run(["zstd", "-q", "-c"] + words, input: input)
    try #require(end == .exit(0), "\(String(decoding: printed, as: UTF8.self))")
    return printed
  }

  @Test(
    "the tool reads Strata's output", .enabled(if: hasTool, "zstd is not installed"),
    arguments: [-5, 1, 3, 19])
  func read(_ level: Int) throws {
    for data in [prose(20_000), records(1)[0] + records(1)[0]] {
      #expect(try run(["-d"], on: ByteTransformer.zstd(level: level).encode(data)) == data)
    }
  }

  /// When the tool reads from a pipe, it writes no size and requires a window.
  @Test(
    "Strata reads the tool's output", .enabled(if: hasTool, "zstd is not installed"),
    arguments: [["-1"], ["-19"], ["--ultra", "-22"], ["--no-check"], ["--long=27"]])
  func write(_ options: [String]) throws {
    for data in [prose(20_000), noise(20_000), records(1)[0], prose(200_000)] {
      #expect(try ByteTransformer.zstd().decode(run(options, on: data)) == data)
      let sized = try run(options + ["--stream-size=\(data.count)"], on: data)
      #expect(try ByteTransformer.zstd().decode(sized) == data)
    }
  }

  @Test("a stream that is larger than the limit is refused", .enabled(if: hasTool, "zstd is not installed"))
  func tooLarge() throws {
    let bytes = try run([], on: prose(100_000))
    #expect(throws: StorageError.tooLarge) { try ByteTransformer.zstd(maximumSize: 99_999).decode(bytes) }
    #expect(try ByteTransformer.zstd(maximumSize: 100_000).decode(bytes) == prose(100_000))
    #expect(throws: StorageError.transformerFail) { try ByteTransformer.zstd().decode(bytes.dropLast(5)) }
  }

  @Test("dictionaries are exchanged in both directions", .enabled(if: hasTool, "zstd is not installed"))
  func dictionaries() throws {
    let folder = TemporaryFolder()
    let (ours, theirs) = (folder.url.appending(path: "ours"), folder.url.appending(path: "theirs"))
    let value = records(1, seed: 2)[0]
    let dictionary = try ZstdDictionary.trained(on: records(300))
    try dictionary.bytes.write(to: ours)
    let mine = ByteTransformer.zstd(dictionary: dictionary)
    #expect(try run(["-d", "-D", ours.path], on: mine.encode(value)) == value)
    #expect(try mine.decode(run(["-D", ours.path], on: value)) == value)

    var samples: [String] = []
    for (index, record) in records(300).enumerated() {
      let sample = folder.url.appending(path: "sample-\(index)")
      try record.write(to: sample)
      samples.append(sample.path)
    }
    let (end, said) = try Program.run(
      ["zstd", "-q", "--train", "--maxdict=16384", "-o", theirs.path] + samples)
    try #require(end == .exit(0), "\(String(decoding: said, as: UTF8.self))")
    let yours = ByteTransformer.zstd(dictionary: try ZstdDictionary(Data(contentsOf: theirs)))
    #expect(try yours.decode(run(["-D", theirs.path], on: value)) == value)
    #expect(try run(["-d", "-D", theirs.path], on: yours.encode(value)) == value)
  }
}

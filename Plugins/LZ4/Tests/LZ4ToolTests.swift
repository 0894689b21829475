import Foundation
import StrataLZ4
import TestSupport
import Testing

/// Exchanges data with another implementation: the tool of Debian's package `lz4`.
@Suite("LZ4 and its tool", .endsInTime)
struct LZ4ToolTests {
  private static let hasTool: Bool = {
    do { return try Program.run(["lz4", "--version"]).end == .exit(0) } catch { return false }
  }()

  private func run(_ words: [String], on input: Data) throws -> Data {
    let (end, printed) = try Program.run(["lz4", "-q", "-c"] + words, input: input)
    try #require(end == .exit(0), "\(String(decoding: printed, as: UTF8.self))")
    return printed
  }

  @Test("the tool reads Strata's output", .enabled(if: hasTool, "lz4 is not installed"))
  func read() throws {
    for data in [prose(20_000), prose(300), prose(1 << 20)] {
      #expect(try run(["-d"], on: ByteTransformer.lz4().encode(data)) == data)
    }
  }

  /// When the tool reads from a pipe, it writes no size.
  @Test(
    "Strata reads the tool's output", .enabled(if: hasTool, "lz4 is not installed"),
    arguments: [["-1"], ["-9"], ["-12", "-BD"], ["--no-frame-crc"], ["-BX", "-B4"], ["-B7"]])
  func write(_ options: [String]) throws {
    for data in [prose(20_000), noise(20_000), Data("a".utf8), prose(5 << 20)] {
      #expect(try ByteTransformer.lz4().decode(run(options, on: data)) == data)
    }
  }

  @Test(
    "a stream that is larger than the limit, or cut short, is refused",
    .enabled(if: hasTool, "lz4 is not installed"))
  func tooLarge() throws {
    let bytes = try run([], on: prose(100_000))
    #expect(throws: StorageError.tooLarge) { try ByteTransformer.lz4(maximumSize: 99_999).decode(bytes) }
    #expect(try ByteTransformer.lz4(maximumSize: 100_000).decode(bytes) == prose(100_000))
    #expect(throws: StorageError.transformerFail) { try ByteTransformer.lz4().decode(bytes.dropLast(5)) }
    #expect(throws: StorageError.transformerFail) { try ByteTransformer.lz4().decode(bytes + bytes) }
  }
}

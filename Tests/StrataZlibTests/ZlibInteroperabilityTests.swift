import Foundation
import StrataZlib
import TestSupport
import Testing

@Suite("zlib: other tools")
struct ZlibInteroperabilityTests {
  static let text = Data(#"{"id": 7, "name": "Ada", "tags": ["a", "b", "a", "b"]}"#.utf8)

  @Test(
    "Strata reads Python's output",
    arguments: [
      (
        "78daab56ca4c51b25230d75150ca4bcc4d0532951c531295"
          + "80dc92c4f46220375a09cc4b021150566c2d0076dd0d3b", text
      ),
      (
        "7801ab56ca4c51b25230d75150ca4bcc4d0532951c531295"
          + "80dc92c4f46220375a09cc4b02094159b1b50076dd0d3b", text
      ),
      ("789c030000000001", Data()),
    ])
  func fixture(_ hex: String, _ expected: Data) throws {
    var bytes = Data()
    var digits = hex[...]
    while !digits.isEmpty {
      bytes.append(try #require(UInt8(digits.prefix(2), radix: 16)))
      digits = digits.dropFirst(2)
    }
    #expect(try ByteTransformer.zlib().decode(bytes) == expected)
  }

  @Test("Python reads Strata's output", .enabled(if: Python.exists), arguments: [1, 6, 9])
  func readByPython(_ level: Int) throws {
    let bytes = try ByteTransformer.zlib(level: level).encode(prose(20_000))
    #expect(try Python.run("zlib.decompress", on: bytes) == prose(20_000))
  }

  @Test("Strata reads Python's output", .enabled(if: Python.exists))
  func writtenByPython() throws {
    let bytes = try Python.run("zlib.compress", on: noise(20_000))
    #expect(try ByteTransformer.zlib().decode(bytes) == noise(20_000))
  }
}

private enum Python {
  static let exists: Bool = {
    do { return try run("bytes", on: Data("ready".utf8)) == Data("ready".utf8) } catch { return false }
  }()

  /// Returns the result of a Python function applied to bytes.
  static func run(_ function: String, on data: Data) throws -> Data {
    let code = "import sys, zlib; sys.stdout.buffer.write(\(function)(sys.stdin.buffer.read()))"
    let (end, printed) = try Program.run(["python3", "-c", code], input: data)
    guard end == .exit(0) else { throw CocoaError(.executableLoad) }
    return printed
  }
}

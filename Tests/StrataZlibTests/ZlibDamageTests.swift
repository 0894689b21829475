import CZlib
import Foundation
import StrataCore
import StrataZlib
import TestSupport
import Testing

@Suite("zlib: damaged and hostile bytes")
struct ZlibDamageTests {
  let zlib = ByteTransformer.zlib()
  let value = Data(#"{"id": 7, "name": "Ada", "tags": ["a", "b", "a", "b"]}"#.utf8)

  @Test("bytes truncated at any position throw")
  func truncation() throws {
    let bytes = try zlib.encode(value)
    for count in 0..<bytes.count {
      #expect(throws: StorageError.transformerFail, "\(count)") { try zlib.decode(bytes.prefix(count)) }
    }
  }

  @Test("a flipped bit never yields another value")
  func bitFlips() throws {
    let bytes = try zlib.encode(value)
    var refused = 0
    for bit in 0..<(bytes.count * 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      do {
        #expect(try zlib.decode(damaged) == value, "bit \(bit)")
      } catch {
        #expect(error as? StorageError == .transformerFail)
        refused += 1
      }
    }
    #expect(refused > bytes.count * 7)
  }

  @Test("bytes after the end throw", arguments: [Data([0]), Data(count: 100_000), prose(10)])
  func trailing(_ garbage: Data) throws {
    let error = try #require(throws: StorageError.self) { try zlib.decode(zlib.encode(value) + garbage) }
    #expect(error == .transformerFail)
    #expect(error.message.contains("follow"))
  }

  @Test("empty input is not a stream")
  func empty() throws {
    let error = try #require(throws: StorageError.self) { try zlib.decode(Data()) }
    #expect(error == .transformerFail)
  }

  @Test("the error has zlib's code and message")
  func message() throws {
    let error = try #require(throws: StorageError.self) { try zlib.decode(Data("no zlib".utf8)) }
    #expect(error.message.contains("\(Z_DATA_ERROR)"))
    #expect(error.message.contains("incorrect header check"))
  }

  @Test("a stream that requires a dictionary throws")
  func dictionary() {
    // The output of Python's zlib.compressobj(zdict=b"abcd") for b"abcdabcd".
    let bytes = Data([0x78, 0xBB, 0x03, 0xD8, 0x01, 0x8B, 0x4B, 0x84, 0x62, 0x00, 0x0D, 0xD8, 0x03, 0x15])
    let error = #expect(throws: StorageError.self) { try zlib.decode(bytes) }
    #expect(error == .transformerFail)
    #expect(error?.message.contains("need dictionary") == true)
  }

  @Test("a value of exactly the maximum size is accepted; one byte more is neither written nor read")
  func bound() throws {
    let bounded = ByteTransformer.zlib(maximumSize: 100_000)
    let largest = Data(count: 100_000)
    #expect(try bounded.decode(bounded.encode(largest)) == largest)
    let tooLarge = Data(count: 100_001)
    #expect(throws: StorageError.tooLarge) { try bounded.encode(tooLarge) }
    #expect(throws: StorageError.tooLarge) { try bounded.decode(zlib.encode(tooLarge)) }
  }

  #if os(Linux)
    @Test("1 MB that inflates to 1 GiB takes no more memory than the limit allows")
    func bomb() throws {
      let bomb = try Self.bomb(mebibytes: 1024)
      #expect(bomb.count < 2 << 20)
      let before = try peakMemory()
      #expect(throws: StorageError.tooLarge) { try ByteTransformer.zlib(maximumSize: 1 << 20).decode(bomb) }
      // Other tests run concurrently; their memory is far below a gibibyte.
      #expect(try peakMemory() - before < 256 << 20)
    }

    /// Returns compressed zeros: one block that refers to no earlier block, repeated.
    private static func bomb(mebibytes: Int) throws -> Data {
      var stream = z_stream()
      var zeros = [UInt8](repeating: 0, count: 1 << 20)
      var block = [UInt8](repeating: 0, count: 1 << 20)
      try zeros.withUnsafeMutableBufferPointer { zeros in
        try block.withUnsafeMutableBufferPointer { block in
          try #require(deflateInit_(&stream, 9, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
          stream.next_in = zeros.baseAddress
          stream.avail_in = UInt32(zeros.count)
          stream.next_out = block.baseAddress
          stream.avail_out = UInt32(block.count)
          try #require(deflate(&stream, Z_FULL_FLUSH) == Z_OK)
        }
      }
      let made = block.prefix(block.count - Int(stream.avail_out))
      deflateEnd(&stream)
      var bomb = Data(made.prefix(2))
      for _ in 0..<mebibytes { bomb.append(contentsOf: made.dropFirst(2)) }
      return bomb
    }
  #endif
}

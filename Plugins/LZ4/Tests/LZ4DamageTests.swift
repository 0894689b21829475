import Foundation
import StrataLZ4
import TestSupport
import Testing

@Suite("LZ4: damaged and hostile bytes", .endsInTime)
struct LZ4DamageTests {
  let lz4 = ByteTransformer.lz4()
  let value = prose(400)

  @Test("bytes truncated at any position throw")
  func truncation() throws {
    let bytes = try lz4.encode(value)
    #expect(bytes.first == 0x04)
    for count in 0..<bytes.count {
      #expect(throws: StorageError.transformerFail, "\(count)") { try lz4.decode(bytes.prefix(count)) }
    }
  }

  @Test("a flipped bit never yields another value, and is reported as damage")
  func bitFlips() throws {
    let bytes = try lz4.encode(value)
    var refused = 0
    for bit in 0..<(bytes.count * 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      do {
        #expect(try lz4.decode(damaged) == value, "bit \(bit)")
      } catch let error as StorageError {
        #expect(error == .transformerFail || error == .tooLarge, "bit \(bit)")
        refused += 1
      }
    }
    #expect(refused > bytes.count * 7)
  }

  @Test("bytes after the end throw", arguments: [Data([0]), Data(count: 100_000), prose(10)])
  func trailing(_ garbage: Data) throws {
    let error = try #require(throws: StorageError.self) { try lz4.decode(lz4.encode(value) + garbage) }
    #expect((error.cause as? CompressionError)?.code == .damaged)
    #expect(error.message.contains("follow"))
  }

  @Test("the error has a code and LZ4's message")
  func message() throws {
    var bytes = try lz4.encode(value)
    bytes[bytes.count - 1] ^= 1
    let error = try #require(throws: StorageError.self) { try lz4.decode(bytes) }
    #expect((error.cause as? CompressionError)?.code == .damaged)
    #expect(error.message.contains("ERROR_contentChecksum_invalid"))
  }

  @Test(
    "a value of exactly the limit passes; one byte more is neither written nor read", arguments: [1, 70_000])
  func bound(_ scale: Int) throws {
    let bounded = ByteTransformer.lz4(maximumSize: 100 * scale)
    for largest in [Data(count: 100 * scale), noise(100 * scale)] {
      #expect(try bounded.decode(bounded.encode(largest)) == largest)
    }
    let tooLarge = Data(count: 100 * scale + 1)
    #expect(throws: StorageError.tooLarge) { try bounded.encode(tooLarge) }
    #expect(throws: StorageError.tooLarge) { try bounded.decode(lz4.encode(tooLarge)) }
  }

  @Test("a frame with too large a stated size is refused before memory is allocated")
  func declared() throws {
    // A valid header for independent blocks of 64 kB and a size of 200 MiB, with its check byte.
    let bytes = try lz4.encode(Data(count: 200 << 20))
    let error = try #require(throws: StorageError.self) { try lz4.decode(bytes.prefix(500)) }
    #expect(error.message.contains("cannot hold \(200 << 20)"))
  }

  @Test("the error for a frame that needs a dictionary names it")
  func dictionary() throws {
    // The output of `LZ4F_compressFrame` for three bytes, with the dictionary number 7.
    let bytes = Data([
      0x04, 0x22, 0x4d, 0x18, 0x61, 0x40, 7, 0, 0, 0, 0xe3, 3, 0, 0, 0x80, 1, 2, 3, 0, 0, 0, 0,
    ])
    let error = try #require(throws: StorageError.self) { try lz4.decode(bytes) }
    #expect((error.cause as? CompressionError)?.code == .unknownDictionary, "\(error)")
  }

  #if os(Linux)
    @Test("bytes that expand take no more memory than the limit allows")
    func bomb() throws {
      let bomb = try lz4.encode(Data(count: 256 << 20))
      #expect(bomb.count < 2 << 20)
      let before = try peakMemory()
      #expect(throws: StorageError.tooLarge) { try ByteTransformer.lz4(maximumSize: 1 << 20).decode(bomb) }
      #expect(try peakMemory() - before < 128 << 20)
    }
  #endif
}

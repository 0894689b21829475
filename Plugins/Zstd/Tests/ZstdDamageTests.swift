import CZstd
import Foundation
import StrataZstd
import TestSupport
import Testing

@Suite("zstd: damaged and hostile bytes", .endsInTime)
struct ZstdDamageTests {
  let zstd = ByteTransformer.zstd()
  let value = records(1)[0] + records(1)[0]

  @Test("bytes truncated at any position throw")
  func truncation() throws {
    let bytes = try zstd.encode(value)
    #expect(bytes.first == 0x28)
    for count in 0..<bytes.count {
      #expect(throws: StorageError.transformerFail, "\(count)") { try zstd.decode(bytes.prefix(count)) }
    }
  }

  @Test("a flipped bit never yields another value, and is reported as damage")
  func bitFlips() throws {
    let dictionary = try ZstdDictionary.trained(on: records(200))
    for zstd in [zstd, .zstd(dictionary: dictionary)] {
      let bytes = try zstd.encode(value)
      var refused = 0
      for bit in 0..<(bytes.count * 8) {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << (bit % 8)
        do {
          #expect(try zstd.decode(damaged) == value, "bit \(bit)")
        } catch let error as StorageError {
          #expect(error == .transformerFail || error == .tooLarge, "bit \(bit)")
          refused += 1
        }
      }
      #expect(refused > bytes.count * 7)
    }
  }

  @Test("bytes after the end throw", arguments: [Data([0]), Data(count: 100_000), prose(10)])
  func trailing(_ garbage: Data) throws {
    let error = try #require(throws: StorageError.self) { try zstd.decode(zstd.encode(value) + garbage) }
    #expect(error == .transformerFail)
    #expect((error.cause as? CompressionError)?.code == .damaged)
  }

  @Test("a second frame after the first is not read as a part of the value")
  func twoFrames() throws {
    let bytes = try zstd.encode(value)
    let error = try #require(throws: StorageError.self) { try zstd.decode(bytes + bytes) }
    #expect(error.message.contains("follow"))
  }

  @Test("the error has a code, and zstd's number and message")
  func message() throws {
    var bytes = try zstd.encode(value)
    bytes[bytes.count - 1] ^= 1
    let error = try #require(throws: StorageError.self) { try zstd.decode(bytes) }
    #expect(error == .transformerFail)
    #expect((error.cause as? CompressionError)?.code == .damaged)
    #expect(error.message.contains("\(ZSTD_error_checksum_wrong.rawValue)"))
    #expect(error.message.contains("checksum"))
  }

  @Test(
    "a value of exactly the limit passes; one byte more is neither written nor read", arguments: [1, 70_000])
  func bound(_ scale: Int) throws {
    let bounded = ByteTransformer.zstd(maximumSize: 10 * scale)
    let tooLarge = Data(count: 10 * scale + 1)
    for largest in [Data(count: 10 * scale), noise(10 * scale)] {
      #expect(try bounded.decode(bounded.encode(largest)) == largest)
    }
    #expect(throws: StorageError.tooLarge) { try bounded.encode(tooLarge) }
    for larger in [tooLarge, noise(tooLarge.count)] {
      let bytes = try zstd.encode(larger)
      #expect(throws: StorageError.tooLarge) { try bounded.decode(bytes) }
    }
  }

  @Test(
    "a frame with too large a stated size is refused before memory is allocated",
    arguments: [3 << 20, 200 << 20])
  func declared(_ size: Int) throws {
    // A frame with a single segment, its size in four bytes, and one raw block of one byte.
    var frame = Data([0x28, 0xb5, 0x2f, 0xfd, 0xa0])
    frame.append(littleEndian: UInt32(size))
    frame.append(contentsOf: [0x09, 0, 0, 65])
    let error = try #require(throws: StorageError.self) { try zstd.decode(frame) }
    #expect(error.message.contains("cannot hold \(size)"))
    #expect(throws: StorageError.tooLarge) { try ByteTransformer.zstd(maximumSize: 1 << 20).decode(frame) }
  }

  #if os(Linux)
    @Test("bytes that expand to 1 GiB take no more memory than the limit allows", arguments: [true, false])
    func bomb(_ isDeclared: Bool) throws {
      let bomb = try Self.bomb(mebibytes: 1024, isDeclared: isDeclared)
      #expect(bomb.count < 1 << 20)
      let before = try peakMemory()
      #expect(throws: StorageError.tooLarge) { try ByteTransformer.zstd(maximumSize: 1 << 20).decode(bomb) }
      // Tests that run at the same time use memory too, but far less than a gibibyte.
      #expect(try peakMemory() - before < 256 << 20)
    }

    @Test("a frame that requires a window of a gigabyte is refused")
    func window() throws {
      // No single segment, size unknown, window descriptor of 2^30, an empty last block.
      let frame = Data([0x28, 0xb5, 0x2f, 0xfd, 0x00, 20 << 3, 0x01, 0, 0])
      let error = try #require(throws: StorageError.self) { try zstd.decode(frame) }
      #expect(error == .transformerFail)
    }
  #endif

  /// Zeros, one mebibyte after the other, as a stream with or without a stated size.
  private static func bomb(mebibytes: Int, isDeclared: Bool) throws -> Data {
    let context = try #require(ZSTD_createCCtx())
    defer { ZSTD_freeCCtx(context) }
    if isDeclared { ZSTD_CCtx_setPledgedSrcSize(context, UInt64(mebibytes) << 20) }
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var room = [UInt8](repeating: 0, count: 1 << 20)
    var bomb = Data()
    for index in 0..<mebibytes {
      let isLast = index == mebibytes - 1
      try zeros.withUnsafeBytes { zeros in
        var input = ZSTD_inBuffer(src: zeros.baseAddress, size: zeros.count, pos: 0)
        var rest = 1
        repeat {
          let made = room.withUnsafeMutableBytes { room in
            var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
            rest = ZSTD_compressStream2(context, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
            return output.pos
          }
          try #require(ZSTD_isError(rest) == 0)
          bomb.append(contentsOf: room[..<made])
        } while input.pos < input.size || (isLast && rest > 0)
      }
    }
    return bomb
  }
}

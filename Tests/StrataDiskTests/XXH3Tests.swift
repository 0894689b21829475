import Testing

@testable import StrataDisk

struct XXH3Tests {
  private static func input(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) }
  }

  /// Vectors computed by libxxhash 0.8.3, at the limits of stripes and blocks. If they do not match, users' existing
  /// files can no longer be read.
  @Test(
    arguments: [
      (241, 0x541b_1922_6f00_52e8), (1024, 0x71be_e625_238a_ddb4), (1025, 0xd9b4_14f4_e1bb_f7ad),
      (1088, 0xb74e_423e_955e_509d), (1089, 0x6aca_a690_9cdb_e786), (4096, 0x5c72_2d9c_eb6f_9064),
      (4097, 0x6056_1862_892d_5819), (65_536, 0x9ae9_73f9_7c1f_3eba), (99_999, 0x2cba_7fbc_2ddd_0b0a),
    ] as [(Int, UInt64)])
  func itEqualsOtherImplementations(_ count: Int, _ hash: UInt64) {
    let input = Self.input(count)
    #expect(input.withUnsafeBytes { XXH3.hash($0) } == hash)
    // The hash is the same at an odd address.
    #expect(([0] + input).withUnsafeBytes { XXH3.hash(.init(rebasing: $0.dropFirst())) } == hash)
  }

  /// The hash is the same if later bytes are added later, in pieces of any length.
  @Test(arguments: [1, 63, 1000, 1024, 1025, 4096])
  func piecesMakeNoDifference(_ step: Int) {
    let input = Self.input(9 * 1024 + 17)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 1)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0xFF)
    var hash = XXH3(of: UnsafeRawBufferPointer(buffer))
    for start in stride(from: 0, to: input.count, by: step) {
      let end = min(start + step, input.count)
      buffer.part(start..<end).copyBytes(from: input[start..<end])
      hash.absorb(upTo: end)
    }
    #expect(hash.finish() == input.withUnsafeBytes { XXH3.hash($0) })
  }
}

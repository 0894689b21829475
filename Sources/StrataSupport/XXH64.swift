/// The 64-bit xxHash of Yann Collet: a fast checksum that detects accidental damage.
///
/// It does not protect against deliberate forgery.
package enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Returns the hash of bytes. To chain hashes, pass the hash of the preceding bytes as the seed.
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var offset = 0
    var hash: UInt64
    if bytes.count >= 32 {
      // Four independent lanes, which the processor computes in parallel.
      var lane1 = seed &+ prime1 &+ prime2
      var lane2 = seed &+ prime2
      var lane3 = seed
      var lane4 = seed &- prime1
      while offset <= bytes.count - 32 {
        lane1 = round(lane1, bytes.number(at: offset))
        lane2 = round(lane2, bytes.number(at: offset + 8))
        lane3 = round(lane3, bytes.number(at: offset + 16))
        lane4 = round(lane4, bytes.number(at: offset + 24))
        offset += 32
      }
      hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
      hash = merge(hash, lane1)
      hash = merge(hash, lane2)
      hash = merge(hash, lane3)
      hash = merge(hash, lane4)
    } else {
      hash = seed &+ prime5
    }
    hash &+= UInt64(bytes.count)
    return avalanche(absorb(bytes, from: offset, into: hash))
  }

  /// Hashes the remaining bytes of the last stripe, fewer than 32.
  private static func absorb(_ bytes: UnsafeRawBufferPointer, from start: Int, into seed: UInt64) -> UInt64 {
    var hash = seed
    var offset = start
    while offset + 8 <= bytes.count {
      hash = rotate(hash ^ round(0, bytes.number(at: offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half: UInt32 = bytes.number(at: offset)
      hash = rotate(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash = rotate(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
      offset += 1
    }
    return hash
  }

  private static func avalanche(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value &<< count) | (value &>> (64 &- count))
  }
}

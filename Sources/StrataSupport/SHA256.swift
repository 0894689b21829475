/// SHA-256 (FIPS 180-4), a cryptographic hash of 32 bytes.
///
/// It is implemented here because no cryptography library is part of every platform, and a cache should not depend on
/// one.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes of an incomplete block.
  private var rest: [UInt8] = []
  private var count = 0

  /// Starts the hash of a message of which no bytes are known yet.
  package init() {}

  /// Returns the 32 bytes of the hash.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    message.withUnsafeBytes { hash($0) }
  }

  /// Returns the 32 bytes of the hash, without copying the message.
  package static func hash(_ message: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(message)
    return hash.finish()
  }

  /// Appends bytes to the message.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    var start = 0
    if !rest.isEmpty {
      start = min(64 - rest.count, bytes.count)
      rest.append(contentsOf: bytes[..<start])
      if rest.count < 64 { return }
      rest.withUnsafeBytes { Self.mix($0, from: 0, into: &state) }
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count - start >= 64 {
      Self.mix(bytes, from: start, into: &state)
      start += 64
    }
    rest.append(contentsOf: bytes[start...])
  }

  /// Returns the 32 bytes of the hash of the message so far.
  package consuming func finish() -> [UInt8] {
    // A single 1 bit, zeros, and the length in bits complete the last block.
    let bits = UInt64(count) * 8
    var end: [UInt8] = [0x80]
    end.append(contentsOf: repeatElement(0, count: (119 - count % 64) % 64))
    withUnsafeBytes(of: bits.bigEndian) { end.append(contentsOf: $0) }
    end.withUnsafeBytes { update($0) }
    var hash: [UInt8] = []
    hash.reserveCapacity(32)
    for word in state { withUnsafeBytes(of: word.bigEndian) { hash.append(contentsOf: $0) } }
    return hash
  }

  private static func mix(_ bytes: UnsafeRawBufferPointer, from start: Int, into state: inout [UInt32]) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for i in 0..<16 {
        words[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * i, as: UInt32.self))
      }
      for i in 16..<64 {
        let s0 = rotate(words[i - 15], 7) ^ rotate(words[i - 15], 18) ^ (words[i - 15] &>> 3)
        let s1 = rotate(words[i - 2], 17) ^ rotate(words[i - 2], 19) ^ (words[i - 2] &>> 10)
        words[i] = words[i - 16] &+ s0 &+ words[i - 7] &+ s1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for i in 0..<64 {
        let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
        let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ roundConstants[i] &+ words[i]
        let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
        let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
    }
  }

  @inline(__always)
  private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
    (value &>> count) | (value &<< (32 &- count))
  }

  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

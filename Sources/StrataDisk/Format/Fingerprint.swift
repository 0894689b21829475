/// A key in the index: 96 bits that cannot be predicted without the folder's secret.
///
/// Writes treat equal fingerprints as equal keys. Among a million keys, the chance that any two share a fingerprint is
/// below 10⁻¹⁶. Reads compare the keys themselves, so that even then no wrong value is returned.
struct Fingerprint: Hashable, Sendable {
  let hash: UInt64
  let tag: UInt32

  init(hash: UInt64, tag: UInt32) {
    self.hash = hash
    self.tag = tag
  }
}

/// The random secret of a folder, made with its first segment. It keeps an attacker who can choose keys from choosing
/// keys that collide.
struct Secret: Hashable, Sendable {
  let low: UInt64
  let high: UInt64

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  static func random() -> Secret { Secret(low: .random(in: .min ... .max), high: .random(in: .min ... .max)) }

  /// Returns the fingerprint of a key: 96 bits of SipHash-1-3 of Aumasson and Bernstein, in its 128-bit form.
  func fingerprint(of key: UnsafeRawBufferPointer) -> Fingerprint {
    var state = SipState(self)
    let whole = key.count & ~7
    var offset = 0
    while offset < whole {
      state.absorb(key.number(at: offset))
      offset += 8
    }
    var last = UInt64(truncatingIfNeeded: key.count) << 56
    for i in 0..<(key.count - whole) { last |= UInt64(key[whole + i]) << UInt64(8 * i) }
    state.absorb(last)
    return state.finish()
  }
}

private struct SipState {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(_ secret: Secret) {
    v0 = 0x736f_6d65_7073_6575 ^ secret.low
    v1 = 0x646f_7261_6e64_6f6d ^ secret.high ^ 0xEE
    v2 = 0x6c79_6765_6e65_7261 ^ secret.low
    v3 = 0x7465_6462_7974_6573 ^ secret.high
  }

  @inline(__always)
  mutating func absorb(_ word: UInt64) {
    v3 ^= word
    round()
    v0 ^= word
  }

  mutating func finish() -> Fingerprint {
    v2 ^= 0xEE
    for _ in 0..<3 { round() }
    let hash = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xDD
    for _ in 0..<3 { round() }
    return Fingerprint(hash: hash, tag: UInt32(truncatingIfNeeded: v0 ^ v1 ^ v2 ^ v3))
  }

  @inline(__always)
  private mutating func round() {
    v0 &+= v1
    v1 = Self.rotate(v1, 13) ^ v0
    v0 = Self.rotate(v0, 32)
    v2 &+= v3
    v3 = Self.rotate(v3, 16) ^ v2
    v0 &+= v3
    v3 = Self.rotate(v3, 21) ^ v0
    v2 &+= v1
    v1 = Self.rotate(v1, 17) ^ v2
    v2 = Self.rotate(v2, 32)
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value &<< count) | (value &>> (64 &- count))
  }
}

/// How often something was used, and how long it went unused in between, in 16 bits.
///
/// A gap is counted in accesses to the cache and is at least 1. The mean is kept with 7 bits behind its first one, so
/// with an error below one percent, and over at most the last 16 gaps or so: then older ones fade.
@usableFromInline
struct UseHistory: Equatable, Sendable {
  /// How many uses there were after the first, at most 15, in the high 4 bits; below them the mean gap, as an exponent
  /// of 5 bits and a mantissa of 7: the middle of the bits of a `Float`, less those of 1.
  @usableFromInline var bits: UInt16

  @inlinable
  init(bits: UInt16 = 0) { self.bits = bits }

  @inlinable
  var uses: UInt32 { UInt32(bits) &>> 12 }

  @inlinable
  var mean: Float { Float(bitPattern: (UInt32(bits) & 0xfff) &<< 16 &+ Self.one) }

  @inlinable
  var meanGap: UInt32 { UInt32(mean) }

  /// Takes in one more use.
  @inlinable
  @inline(__always)
  mutating func add(gap: UInt32) {
    let (mean, count) = (mean, uses &+ 1)
    let difference = Float(max(gap, 1)) - mean
    // Most hits are of what is used often, where a multiplication does: a division is a tenth of a hit.
    let new = mean + difference / Float(count)
    bits = UInt16(truncatingIfNeeded: min(count, 15) &<< 12 | Self.encode(new))
  }

  /// The nearest that 12 bits hold to a number that is at least 1.
  @inlinable
  static func encode(_ gap: Float) -> UInt32 { min((gap.bitPattern &- one &+ 0x8000) &>> 16, 0xfff) }

  /// The bits of 1 as a `Float`.
  @inlinable
  static var one: UInt32 { 0x3f80_0000 }
}

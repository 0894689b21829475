/// The number of an entry's uses and the mean gap between them, in 16 bits.
///
/// A gap is counted in accesses to the cache and is at least 1. The mean has 7 fractional bits after its leading one,
/// so its error is below one percent. It covers about the last 16 gaps; older gaps fade.
@usableFromInline
struct UseHistory: Equatable, Sendable {
  /// In the high 4 bits, the number of uses after the first, at most 15. Below them the mean gap, as an exponent of 5
  /// bits and a mantissa of 7: the middle bits of a `Float`, minus the bits of 1.
  @usableFromInline var bits: UInt16

  @inlinable
  init(bits: UInt16 = 0) { self.bits = bits }

  @inlinable
  var uses: UInt32 { UInt32(bits) &>> 12 }

  @inlinable
  var mean: Float { Float(bitPattern: (UInt32(bits) & 0xfff) &<< 16 &+ Self.one) }

  @inlinable
  var meanGap: UInt32 { UInt32(mean) }

  /// Adds one use to the history.
  @inlinable
  @inline(__always)
  mutating func add(gap: UInt32) {
    let (mean, count) = (mean, uses &+ 1)
    let difference = Float(max(gap, 1)) - mean
    // Always a division: a branch to avoid it for large counts costs more, since it is often mispredicted.
    let new = mean + difference / Float(count)
    bits = UInt16(truncatingIfNeeded: min(count, 15) &<< 12 | Self.encode(new))
  }

  /// Returns the 12 bits nearest to a number that is at least 1.
  @inlinable
  static func encode(_ gap: Float) -> UInt32 { min((gap.bitPattern &- one &+ 0x8000) &>> 16, 0xfff) }

  /// The bits of 1 as a `Float`.
  @inlinable
  static var one: UInt32 { 0x3f80_0000 }
}

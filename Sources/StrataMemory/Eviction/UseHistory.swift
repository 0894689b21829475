/// How often something was used, and how long it went unused in between, in 16 bits.
///
/// A gap is counted in accesses to the cache. The mean is kept with 7 bits behind its first one, so with an error below
/// one percent, and over at most the last 16 gaps or so: then older ones fade.
@usableFromInline
struct UseHistory: Equatable, Sendable {
  /// How many uses there were after the first, at most 15, in the high 4 bits; below them the mean gap, as an exponent
  /// of 5 bits and a mantissa of 7.
  @usableFromInline var bits: UInt16

  @inlinable
  init(bits: UInt16 = 0) { self.bits = bits }

  @inlinable
  var uses: UInt32 { UInt32(bits) &>> 12 }

  @inlinable
  var meanGap: UInt32 {
    let exponent = UInt32(bits) &>> 7 & 31
    let mantissa = UInt32(bits) & 127
    return exponent == 0 ? mantissa : (mantissa | 128) &<< (exponent &- 1)
  }

  /// Takes in one more use.
  @inlinable
  mutating func add(gap: UInt32) {
    let (mean, count) = (meanGap, uses &+ 1)
    let new = gap >= mean ? mean &+ (gap &- mean) / count : mean &- (mean &- gap) / count
    bits = UInt16(truncatingIfNeeded: min(count, 15) &<< 12 | Self.encode(new))
  }

  @inlinable
  static func encode(_ gap: UInt32) -> UInt32 {
    if gap < 128 { return gap }
    let shift = UInt32(24 &- gap.leadingZeroBitCount)
    return (shift &+ 1) &<< 7 | (gap &>> shift & 127)
  }
}

/// Half-precision numbers, represented by their bits: not every platform has `Float16`.
enum Half {
  /// Returns the bits of the half-precision number that equals a `Double`, or `nil` if there is none. Every NaN has the
  /// same bits.
  @inline(__always)
  static func bits(of value: Double) -> UInt16? {
    let bits = value.bitPattern
    // Checked first, since most numbers fail here: a half has only the first 10 of the 52 bits.
    if bits & 0x3ff_ffff_ffff != 0 && !value.isNaN { return nil }
    return exactBits(bits)
  }

  private static func exactBits(_ bits: UInt64) -> UInt16? {
    let sign = UInt16(truncatingIfNeeded: bits >> 48) & 0x8000
    let exponent = Int(bits >> 52 & 0x7ff) - 1023
    let digits = bits & 0xf_ffff_ffff_ffff
    if exponent == 1024 { return digits == 0 ? sign | 0x7c00 : 0x7e00 }
    if exponent == -1023 && digits == 0 { return sign }
    if exponent > 15 || exponent < -24 { return nil }
    if exponent >= -14 {
      return sign | UInt16(exponent + 15) << 10 | UInt16(truncatingIfNeeded: digits >> 42)
    }
    // A subnormal number: its leading one is explicit, and each step that the exponent is too small drops one digit.
    let all = digits | 1 << 52
    let shift = UInt64(42 + -14 - exponent)
    guard all & (1 << shift - 1) == 0 else { return nil }
    return sign | UInt16(truncatingIfNeeded: all >> shift)
  }

  static func value(of bits: UInt16) -> Double {
    let sign: Double = bits & 0x8000 == 0 ? 1 : -1
    let exponent = Int(bits >> 10 & 31)
    let digits = Double(bits & 0x3ff)
    switch exponent {
    case 0: return sign * digits * 0x1p-24
    case 31: return digits == 0 ? sign * .infinity : .nan
    default: return sign * (1024 + digits) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
    }
  }
}

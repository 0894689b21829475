/// The major types of RFC 8949, section 3.1.
enum MajorType {
  static let unsigned: UInt8 = 0
  static let negative: UInt8 = 1
  static let bytes: UInt8 = 2
  static let text: UInt8 = 3
  static let array: UInt8 = 4
  static let map: UInt8 = 5
  static let tag: UInt8 = 6
  static let simple: UInt8 = 7
}

/// Single bytes with a meaning of their own.
enum SimpleByte {
  static let no: UInt8 = 0xf4
  static let yes: UInt8 = 0xf5
  static let null: UInt8 = 0xf6
  static let undefined: UInt8 = 0xf7
  static let half: UInt8 = 0xf9
  static let single: UInt8 = 0xfa
  static let double: UInt8 = 0xfb
  static let end: UInt8 = 0xff
}

/// The tags that the coders write or interpret; every other tag is skipped.
enum TagNumber {
  static let dateText: UInt64 = 0
  static let epoch: UInt64 = 1
  static let positiveBignum: UInt64 = 2
  static let negativeBignum: UInt64 = 3
  static let uuid: UInt64 = 37
  static let selfDescribed: UInt64 = 55799
}

/// The first bytes of every CBOR item: its major type and a number, which is a value, a length, a count or a tag.
struct CBORHead {
  let major: UInt8
  /// The low five bits of the first byte: 24 to 27 give the size of the number, 31 stands for an indefinite length.
  let info: UInt8
  let number: UInt64
  /// The number of bytes of the head: 1, 2, 3, 5 or 9.
  let size: Int

  /// Reads a head. `CBORScan` must have checked the bytes before.
  @inline(__always)
  init(at pointer: UnsafePointer<UInt8>) {
    let first = pointer[0]
    major = first >> 5
    info = first & 31
    if info < 24 {
      (number, size) = (UInt64(info), 1)
    } else {
      (number, size) = Self.longNumber(after: pointer, info)
    }
  }

  private static func longNumber(after pointer: UnsafePointer<UInt8>, _ info: UInt8) -> (UInt64, Int) {
    let raw = UnsafeRawPointer(pointer + 1)
    switch info {
    case 24: return (UInt64(pointer[1]), 2)
    case 25: return (UInt64(UInt16(bigEndian: raw.loadUnaligned(as: UInt16.self))), 3)
    case 26: return (UInt64(UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self))), 5)
    case 27: return (UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)), 9)
    default: return (0, 1)
    }
  }

  /// Returns the number of bytes of the shortest head with a number.
  @inline(__always)
  static func size(of number: UInt64) -> Int {
    if number < 24 { return 1 }
    if number <= UInt64(UInt8.max) { return 2 }
    if number <= UInt64(UInt16.max) { return 3 }
    return number <= UInt64(UInt32.max) ? 5 : 9
  }

  /// Writes the shortest head with a number, into room for 9 bytes. Returns the number of bytes written.
  @inline(__always)
  static func write(_ major: UInt8, _ number: UInt64, to pointer: UnsafeMutablePointer<UInt8>) -> Int {
    let type = major << 5
    if number < 24 {
      pointer[0] = type | UInt8(truncatingIfNeeded: number)
      return 1
    }
    return writeLong(type, number, to: pointer)
  }

  private static func writeLong(_ type: UInt8, _ number: UInt64, to pointer: UnsafeMutablePointer<UInt8>)
    -> Int
  {
    let raw = UnsafeMutableRawPointer(pointer + 1)
    switch number {
    case ...UInt64(UInt8.max):
      pointer[0] = type | 24
      pointer[1] = UInt8(truncatingIfNeeded: number)
      return 2
    case ...UInt64(UInt16.max):
      pointer[0] = type | 25
      raw.storeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian, as: UInt16.self)
      return 3
    case ...UInt64(UInt32.max):
      pointer[0] = type | 26
      raw.storeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, as: UInt32.self)
      return 5
    default:
      pointer[0] = type | 27
      raw.storeBytes(of: number.bigEndian, as: UInt64.self)
      return 9
    }
  }
}

/// The slot of a key in a cluster: one of 16 384, each served by one primary.
///
/// Keys with the same text between their first `{` and the next `}` share a slot, if that text is not empty.
struct KeySlot: Hashable, Sendable {
  /// The number of slots.
  static let count = 16_384

  /// The number, less than `count`.
  let number: Int

  /// Creates a slot from its number; `nil` if it is out of range.
  init?(number: Int) {
    guard 0..<Self.count ~= number else { return nil }
    self.number = number
  }

  /// Computes the slot of a key.
  init(of key: some BidirectionalCollection<UInt8>) {
    number = Int(Self.checksum(Self.tag(of: key)) % UInt16(Self.count))
  }

  /// Returns the part of a key that determines its slot.
  static func tag<Key: BidirectionalCollection<UInt8>>(of key: Key) -> Key.SubSequence {
    guard let open = key.firstIndex(of: UInt8(ascii: "{")) else { return key[...] }
    let rest = key[key.index(after: open)...]
    guard let close = rest.firstIndex(of: UInt8(ascii: "}")), close > rest.startIndex else { return key[...] }
    return rest[..<close]
  }

  /// CRC-16/XMODEM: the polynomial 0x1021, most significant bit first, with the initial value 0.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0) { crc, byte in
      crc << 8 ^ remainders[Int(UInt8(crc >> 8) ^ byte)]
    }
  }

  /// The checksum of each byte.
  private static let remainders: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte) << 8) { crc, _ in crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
  }
}

/// The identity of a value that is stored in parts. Two values never have the same one.
package struct ValueID: Sendable, Hashable {
  /// The number of bytes.
  package static let size = 16

  package let high, low: UInt64

  /// Creates a random identity.
  package init() {
    high = .random(in: 0 ... .max)
    low = .random(in: 0 ... .max)
  }

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Reads an identity from its bytes; `nil` if there are more or fewer.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.size else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The identity as bytes.
  package var bytes: [UInt8] {
    [high, low].flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
  }

  /// The identity as 32 hexadecimal digits.
  package var text: String { [high, low].map(Self.digits).joined() }

  /// Returns a number as 16 hexadecimal digits.
  package static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

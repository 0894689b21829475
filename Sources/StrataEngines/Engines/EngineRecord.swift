#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The record of an entry in an engine. It is valid as long as the bytes that the engine has passed.
///
/// | bytes | contents                                                                                          |
/// |-------|---------------------------------------------------------------------------------------------------|
/// | 0     | flags: bit 0, the entry expires; bit 1, the record has the text of the key; bit 2, the value is   |
/// |       | stored in parts, and described by a `DividedValue`; all others are 0                              |
/// | 8     | only if it expires: the bits of an IEEE double, little-endian, seconds since 2001-01-01 00:00 UTC |
/// | 4     | only with the text of the key: its length L, little-endian                                        |
/// | L     | only with the text of the key: its UTF-8                                                          |
/// | rest  | the value                                                                                         |
///
/// Earlier versions treat a record with bit 2 as one of another program. A date is read with the same bits as it was
/// written. There is no checksum: engines detect damage themselves.
struct EngineRecord {
  /// The error for a record of another program in the same engine.
  struct Foreign: Error {}

  /// The maximum number of bytes before the text and the value.
  static let longestHead = 13
  private static let expires: UInt8 = 1
  private static let hasText: UInt8 = 2
  private static let inParts: UInt8 = 4

  let isDivided: Bool
  let expiry: Expiry
  let text: UnsafeRawBufferPointer?
  let value: UnsafeRawBufferPointer

  /// Reads a record. Throws for a record of another program.
  init(checking bytes: UnsafeRawBufferPointer) throws(Foreign) {
    guard let record = EngineRecord(bytes) else { throw Foreign() }
    self = record
  }

  /// Reads a record. Returns `nil` for a record of another program.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let flags = bytes.first, flags & ~(Self.expires | Self.hasText | Self.inParts) == 0 else {
      return nil
    }
    isDivided = flags & Self.inParts != 0
    var rest = bytes.dropFirst()
    if flags & Self.expires == 0 {
      expiry = .never
    } else {
      guard rest.count >= 8 else { return nil }
      let seconds = Double(bitPattern: bytes.number(at: rest.startIndex))
      expiry = .date(Date(timeIntervalSinceReferenceDate: seconds))
      rest = rest.dropFirst(8)
    }
    if flags & Self.hasText == 0 {
      text = nil
    } else {
      guard rest.count >= 4 else { return nil }
      let count = Int(bytes.number(at: rest.startIndex) as UInt32)
      rest = rest.dropFirst(4)
      guard rest.count >= count else { return nil }
      text = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    value = UnsafeRawBufferPointer(rebasing: rest)
  }

  /// A copy of the entry. If the value is stored in parts, it is their description.
  var entry: Entry<Data> {
    // The address of an empty value may be `nil`.
    Entry(object: value.baseAddress.map { Data(bytes: $0, count: value.count) } ?? Data(), expiry: expiry)
  }

  /// Returns the bytes before the value. The expiry must be resolved.
  static func head(_ expiry: Expiry, text: [UInt8]?, isDivided: Bool = false) -> [UInt8] {
    with(Data(), expiry, text: text, isDivided: isDivided) { Array($0) }
  }

  /// The description of a value that is stored in parts; `nil` for any other.
  var divided: DividedValue? {
    get throws { isDivided ? try DividedValue(reading: value) : nil }
  }

  /// The entry as it is stored.
  var stored: StoredForm {
    get throws { try divided.map { .divided($0, expiry) } ?? .whole(entry) }
  }

  /// Returns the record of an entry. The expiry must be resolved.
  static func encode(_ value: Data, _ expiry: Expiry, text: [UInt8]?, isDivided: Bool = false) -> Data {
    with(value, expiry, text: text, isDivided: isDivided) { Data($0) }
  }

  /// Calls `body` with the record of an entry; the bytes are valid until it returns. The expiry must be resolved.
  static func with<R>(
    _ value: Data, _ expiry: Expiry, text: [UInt8]?, isDivided: Bool = false,
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let size = longestHead + (text?.count ?? 0) + value.count
    // Not allocated from the heap unless it is long.
    return try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { record in
      var end = 1
      func append(_ part: UnsafeRawBufferPointer) {
        record.part(end...).copyMemory(from: part)
        end += part.count
      }
      record[0] = (text == nil ? 0 : hasText) | (isDivided ? inParts : 0)
      if case .date(let date) = expiry {
        record[0] |= expires
        withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern.littleEndian, append)
      }
      if let text {
        withUnsafeBytes(of: UInt32(text.count).littleEndian, append)
        text.withUnsafeBytes(append)
      }
      value.withUnsafeBytes(append)
      return try body(UnsafeRawBufferPointer(record.part(..<end)))
    }
  }
}

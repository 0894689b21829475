#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The location of a record in the log, its length and two flags, in 64 bits.
///
/// | bits  | contents                                                                    |
/// |-------|-----------------------------------------------------------------------------|
/// | 0–18  | the number of the segment, modulo 2¹⁹                                       |
/// | 19–42 | the offset in it, in units of 8 bytes                                       |
/// | 43–61 | the length of the record, in units of 8 bytes, or of 512 if bit 61 is set   |
/// | 62    | the value is in a file of its own                                           |
/// | 63    | it was read since it was written or moved; in a table of contents: a removal |
struct Location: Equatable, Sendable {
  static let segmentMask = (1 << 19) - 1
  private static let mark: UInt64 = 1 << 63

  var bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  init(segment: Int, offset: Int, length: Int, isFile: Bool) {
    let units = length <= 1 << 21 - 8 ? length >> 3 : length >> 9 | 1 << 18
    bits =
      UInt64(segment & Self.segmentMask) | UInt64(offset >> 3) << 19 | UInt64(units) << 43
      | (isFile ? 1 << 62 : 0)
  }

  /// No location: there is no record at the beginning of segment 0.
  static let none = Location(bits: 0)

  var segment: Int { Int(bits & UInt64(Self.segmentMask)) }
  var offset: Int { Int(bits >> 19 & (1 << 24 - 1)) << 3 }
  var length: Int {
    let units = Int(bits >> 43 & (1 << 19 - 1))
    return units & 1 << 18 == 0 ? units << 3 : (units & (1 << 18 - 1)) << 9
  }
  /// The bytes that the record takes in the log, with its slot in the table of contents.
  var cost: Int { length + LogView.costOfRecord }
  var isFile: Bool { bits & 1 << 62 != 0 }
  /// Bit 63, whose meaning differs between the index and a table of contents.
  var isMarked: Bool {
    get { bits & Self.mark != 0 }
    set { bits = newValue ? bits | Self.mark : bits & ~Self.mark }
  }

  /// Returns whether both are the location of one record.
  func isSame(_ other: Location) -> Bool { (bits ^ other.bits) & ~Self.mark == 0 }
}

/// The index's data on one entry: 24 bytes.
struct IndexSlot: Equatable, Sendable {
  var hash: UInt64
  var location: Location
  var tag: UInt32
  /// The second in which the entry expires, since 2001; all ones if it never expires.
  var deadline: UInt32

  static let size = 24
  static let empty = IndexSlot(hash: 0, location: .none, tag: 0, deadline: .max)

  init(hash: UInt64, location: Location, tag: UInt32, deadline: UInt32) {
    self.hash = hash
    self.location = location
    self.tag = tag
    self.deadline = deadline
  }

  init(_ key: Fingerprint, _ location: Location, _ expiry: Expiry) {
    self.init(hash: key.hash, location: location, tag: key.tag, deadline: Self.deadline(expiry))
  }

  var key: Fingerprint { Fingerprint(hash: hash, tag: tag) }

  /// The slot that marks the key as removed in a table of contents.
  var asRemoval: IndexSlot {
    var removal = self
    removal.location.isMarked = true
    return removal
  }

  /// Returns the second of an expiry, rounded down. A date that is not a number (NaN) never expires.
  static func deadline(_ expiry: Expiry) -> UInt32 {
    guard case .date(let date) = expiry, !date.timeIntervalSinceReferenceDate.isNaN else { return .max }
    return second(date)
  }

  /// Returns the second of a date. All dates from the year 2137 on map to the last second before all ones; then only
  /// the record has the exact date.
  static func second(_ date: Date) -> UInt32 {
    let seconds = date.timeIntervalSinceReferenceDate
    return seconds > 0 ? UInt32(min(seconds, Double(UInt32.max - 1))) : 0
  }
}

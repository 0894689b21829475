#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataEngines

/// The items of the database `x/owners`, which says to whom the parts of values belong.
///
/// | key                  | value                                                                                   |
/// |----------------------|-----------------------------------------------------------------------------------------|
/// | 0, the identity      | nothing: the parts belong to nobody, and are to be removed                              |
/// | 1, the identity      | seconds since 1970, an IEEE double, little-endian: the value was being written then     |
/// | 2, the identity      | the text of the key whose entry has the value                                           |
/// | 3                    | the number of bytes of the pages of all parts that belong to entries, 8, little-endian  |
enum OwnerKey {
  static let total: [UInt8] = [3]

  static func bytes(_ state: UInt8, _ id: ValueID) -> [UInt8] { [state] + id.bytes }

  static func part(_ number: Int, of id: ValueID) -> [UInt8] {
    id.bytes + withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { Array($0) }
  }

  /// Returns the identity in a key; `nil` if the key has none.
  static func id(_ key: UnsafeRawBufferPointer) -> ValueID? {
    key.isEmpty ? nil : ValueID(key.part(1...))
  }

  /// Returns the owner in an item; `nil` for an item of another program.
  static func owner(_ state: UInt8, _ value: UnsafeRawBufferPointer) -> PartOwner? {
    switch state {
    case 0: return .nobody
    case 1:
      if value.count != 8 { return nil }
      return .writer(Date(timeIntervalSince1970: Double(bitPattern: value.number(at: 0))))
    case 2: return String(validating: value, as: UTF8.self).map(PartOwner.entry)
    default: return nil
    }
  }

  /// Returns the state and the value of an owner.
  static func item(_ owner: PartOwner) -> (state: UInt8, value: [UInt8]) {
    switch owner {
    case .nobody: (0, [])
    case .writer(let date): (1, Array(littleEndian: date.timeIntervalSince1970.bitPattern))
    case .entry(let text): (2, Array(text.utf8))
    }
  }
}

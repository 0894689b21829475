#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The owner of the parts of a value, stored as JSON under the identity of the value.
struct PartOwner: Codable {
  /// The text of the key whose entry has the value, or will have it.
  let key: String
  /// The number of parts that may be stored.
  let count: Int
  /// When the writer of the value has last stored parts, in seconds since 1970; `nil` once the entry has the value.
  var written: Double?

  /// The owner as bytes.
  var data: Data { get throws { try JSONEncoder().encode(self) } }

  init(key: String, count: Int, written: Date) {
    (self.key, self.count, self.written) = (key, count, written.timeIntervalSince1970)
  }

  init(_ data: Data, of name: String) throws {
    do { self = try JSONDecoder().decode(PartOwner.self, from: data) } catch {
      throw StorageError.malformedFileAttributes.with(
        "the entry with the owner of parts is damaged; remove it, and the entries whose keys continue its key",
        key: name, cause: error)
    }
  }

  /// Whether the entry does not have the value, and the writer has stored no part since a date.
  func isWriting(since date: Date) -> Bool { written.map { $0 >= date.timeIntervalSince1970 } ?? false }

  /// Returns the keys of parts.
  static func parts(_ numbers: Range<Int>, of name: String) -> [String] { numbers.map { "\(name)-\($0)" } }

  /// Whether a key in the store of parts is that of an owner.
  static func isName(_ key: String) -> Bool { key.utf8.count == 2 * ValueID.size }
}

/// What an entry contains: the value itself, or the description of a value in parts.
///
/// A value that begins as a description does is stored behind 8 other bytes, so that none is taken for a description.
enum StoredValue {
  case whole(Data)
  case divided(DividedValue)

  private static let beginning = DividedValue.mark.dropLast()
  private static let escape = Data(beginning + [1])

  init(_ data: Data) throws {
    if !data.starts(with: Self.beginning) {
      self = .whole(data)
    } else if data.starts(with: Self.escape) {
      self = .whole(Data(data.dropFirst(Self.escape.count)))
    } else {
      self = .divided(try DividedValue(reading: data))
    }
  }

  /// Returns the bytes that are stored for a value which is not divided.
  static func whole(of data: Data) -> Data { data.starts(with: beginning) ? escape + data : data }

  /// The value in parts.
  var divided: DividedValue? { if case .divided(let value) = self { value } else { nil } }
}

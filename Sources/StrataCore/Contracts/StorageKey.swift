#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A key with exactly one textual form, so that it can be stored outside the process and read back.
///
/// ```swift
/// struct Page: StorageKey {
///   var number: Int
///   init(number: Int) { self.number = number }
///   init?(storageKey: String) {
///     guard let number = Int(storageKey: storageKey) else { return nil }
///     self.init(number: number)
///   }
///   var storageKey: String { number.storageKey }
/// }
/// enum City: String, StorageKey { case lisbon, oslo }   // An enum of strings needs nothing more.
/// ```
///
/// Two keys are equal exactly if their texts are equal. Any text is allowed, including the empty one.
public protocol StorageKey: Hashable, Sendable {
  /// Creates the key that has this text. Returns `nil` if no key has it.
  init?(storageKey: String)
  /// The text of the key.
  var storageKey: String { get }
}

extension String: StorageKey {
  /// Creates a key that is the text itself.
  public init?(storageKey: String) { self = storageKey }
  /// The text itself.
  public var storageKey: String { self }
}

extension StorageKey where Self: FixedWidthInteger {
  /// Creates a number from decimal digits, only in the form that `storageKey` returns.
  public init?(storageKey: String) {
    // Any text gives a number here, and only the number's own text is its text again. The standard library's parser
    // would be compiled for each of the ten types, which takes 20 kB more.
    self = 0
    for byte in storageKey.utf8 where byte != UInt8(ascii: "-") {
      self = self &* 10 &+ Self(truncatingIfNeeded: byte & 15)
    }
    if storageKey.utf8.first == UInt8(ascii: "-") { self = 0 &- self }
    if storageKey != self.storageKey { return nil }
  }
  /// The number in decimal digits.
  public var storageKey: String { String(self) }
}

extension Int: StorageKey {}
extension Int8: StorageKey {}
extension Int16: StorageKey {}
extension Int32: StorageKey {}
extension Int64: StorageKey {}
extension UInt: StorageKey {}
extension UInt8: StorageKey {}
extension UInt16: StorageKey {}
extension UInt32: StorageKey {}
extension UInt64: StorageKey {}

extension UUID: StorageKey {
  /// Creates a UUID from its standard form, in uppercase only.
  public init?(storageKey: String) {
    guard let uuid = UUID(uuidString: storageKey), uuid.uuidString == storageKey else { return nil }
    self = uuid
  }
  /// The UUID in its standard form, in uppercase.
  public var storageKey: String { uuidString }
}

extension URL: StorageKey {
  /// Creates a URL from its absolute form, only if `storageKey` returns the same text. Nothing is percent-encoded.
  public init?(storageKey: String) {
    guard let url = URL(string: storageKey), url.absoluteString == storageKey else { return nil }
    self = url
  }
  /// The absolute form of the URL.
  public var storageKey: String { absoluteString }
}

extension RawRepresentable where RawValue == String, Self: StorageKey {
  /// Creates the key with this raw value.
  public init?(storageKey: String) { self.init(rawValue: storageKey) }
  /// The raw value.
  public var storageKey: String { rawValue }
}

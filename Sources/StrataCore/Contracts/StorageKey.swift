#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A key that has one textual form, so that it can be kept outside the process and read back.
///
/// Two keys are equal exactly when their texts are. Any text is allowed, also the empty one.
public protocol StorageKey: Hashable, Sendable {
  /// The key with a text; `nil` if no key has it.
  init?(storageKey: String)
  /// The text of the key.
  var storageKey: String { get }
}

extension String: StorageKey {
  /// The text itself.
  public init?(storageKey: String) { self = storageKey }
  /// The text itself.
  public var storageKey: String { self }
}

extension StorageKey where Self: FixedWidthInteger {
  /// The number in decimal digits, in the one form in which `storageKey` writes it.
  public init?(storageKey: String) {
    guard let number = Self(storageKey), String(number) == storageKey else { return nil }
    self = number
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
  /// The UUID in its usual form, in capitals.
  public init?(storageKey: String) {
    guard let uuid = UUID(uuidString: storageKey), uuid.uuidString == storageKey else { return nil }
    self = uuid
  }
  /// The UUID in its usual form, in capitals.
  public var storageKey: String { uuidString }
}

extension URL: StorageKey {
  /// The URL, from the absolute form as `storageKey` writes it: nothing is escaped that was not.
  public init?(storageKey: String) {
    guard let url = URL(string: storageKey), url.absoluteString == storageKey else { return nil }
    self = url
  }
  /// The absolute form of the URL.
  public var storageKey: String { absoluteString }
}

extension RawRepresentable where RawValue == String, Self: StorageKey {
  /// The raw value.
  public init?(storageKey: String) { self.init(rawValue: storageKey) }
  /// The raw value.
  public var storageKey: String { rawValue }
}

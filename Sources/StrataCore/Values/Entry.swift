/// A stored value with its expiry and, if there is one, its file.
///
/// ```swift
/// let entry = try users.entry(forKey: "ada")
/// if entry.expiry.isExpired { print("\(entry.object.name) has expired, and was not swept yet") }
/// ```
public struct Entry<Value> {
  /// The value itself.
  public let object: Value
  /// The time at which the value stops being valid: `.never`, or a date. Stores never return `.seconds`.
  public let expiry: Expiry
  /// The path of the file from which the value was read, or `nil` if the value has no file of its own. The format is
  /// private to the store: `DiskStorage` puts a header before the value. To get a file for other programs, use
  /// `exportObject(forKey:to:)`.
  public let filePath: String?

  /// Creates an entry.
  @inlinable
  public init(object: Value, expiry: Expiry = .never, filePath: String? = nil) {
    self.object = object
    self.expiry = expiry
    self.filePath = filePath
  }

  /// Returns this entry with a transformed value.
  @inlinable
  public func map<U, E: Error>(_ transform: (Value) throws(E) -> U) throws(E) -> Entry<U> {
    Entry<U>(object: try transform(object), expiry: expiry, filePath: filePath)
  }
}

extension Entry {
  /// Returns this entry with an expiry as stores keep it.
  @inlinable
  package func resolved(by clock: StorageClock) -> Entry {
    Entry(object: object, expiry: expiry.resolved(by: clock), filePath: filePath)
  }
}

extension Entry: Sendable where Value: Sendable {}
extension Entry: Equatable where Value: Equatable {}

/// A stored value with what the store knows about it.
public struct Entry<Value> {
  /// The value itself.
  public let object: Value
  /// When it stops being valid: `.never`, or a date. What a store returns never holds `.seconds`.
  public let expiry: Expiry
  /// The path of the file that holds the value, where a file does and the value was read from it. The file is the
  /// store's own: in `DiskStorage` it begins with a header. `exportObject(forKey:to:)` writes one that other programs
  /// can open.
  public let filePath: String?

  /// Makes an entry.
  @inlinable
  public init(object: Value, expiry: Expiry = .never, filePath: String? = nil) {
    self.object = object
    self.expiry = expiry
    self.filePath = filePath
  }

  /// The same entry around another value.
  @inlinable
  public func map<U, E: Error>(_ transform: (Value) throws(E) -> U) throws(E) -> Entry<U> {
    Entry<U>(object: try transform(object), expiry: expiry, filePath: filePath)
  }
}

extension Entry: Sendable where Value: Sendable {}
extension Entry: Equatable where Value: Equatable {}

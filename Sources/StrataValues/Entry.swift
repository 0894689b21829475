/// A stored value with its expiry and, if there is one, its file.
///
/// ```swift
/// let entry = try users.entry(forKey: "ada")
/// if entry.expiry.isExpired { print("\(entry.object.name) has expired, and was not swept yet") }
/// ```
public struct Entry<Value> {
  /// The value itself.
  @inlinable
  public var object: Value {
    // A `guard` would copy the value.
    // swift-format-ignore: NeverForceUnwrap
    value!
  }

  /// The time at which the value stops being valid: `.never`, or a date. Stores never return `.seconds`.
  public let expiry: Expiry
  /// The path of the file from which the value was read, or `nil` if the value has no file of its own. The format is
  /// private to the store: `DiskStorage` puts a header before the value. To get a file for other programs, use
  /// `exportObject(forKey:to:)`.
  @inlinable
  public var filePath: String? { file?.path }

  @usableFromInline package var value: Value?
  @usableFromInline package let file: EntryFilePath?

  /// Creates an entry.
  @inlinable
  public init(object: Value, expiry: Expiry = .never, filePath: String? = nil) {
    self.init(object: object, expiry: expiry, file: filePath.map { EntryFilePath($0) })
  }

  @inlinable
  package init(object: Value?, expiry: Expiry, file: EntryFilePath?) {
    value = object
    self.expiry = expiry
    self.file = file
  }

  /// Creates an entry that was read for its expiry only.
  @inlinable
  public init(expiry: Expiry) { self.init(object: nil, expiry: expiry, file: nil as EntryFilePath?) }

  /// Returns this entry with a transformed value. An entry without a value stays one.
  @inlinable
  public func map<U, E: Error>(_ transform: (Value) throws(E) -> U) throws(E) -> Entry<U> {
    Entry<U>(object: try value.map(transform), expiry: expiry, file: file)
  }
}

extension Entry {
  /// Returns this entry with an expiry as stores keep it.
  @inlinable
  package func resolved(by clock: StorageClock) -> Entry {
    Entry(object: value, expiry: expiry.resolved(by: clock), file: file)
  }
}

extension Entry: Sendable where Value: Sendable {}
extension Entry: Equatable where Value: Equatable {
  /// Returns whether two entries have the same value, expiry and file.
  public static func == (a: Entry, b: Entry) -> Bool {
    a.value == b.value && a.expiry == b.expiry && a.filePath == b.filePath
  }
}

/// The path of an entry's file.
///
/// An object, since few entries have a path. The entry of a reference is then four words, which are returned in
/// registers; as a string, the path would add one word, and each entry would be returned through memory.
@usableFromInline
package final class EntryFilePath: Sendable {
  @usableFromInline let path: String

  @usableFromInline
  init(_ path: String) { self.path = path }
}

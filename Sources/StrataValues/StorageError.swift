#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A failed operation of a store: what failed, on what, and why.
///
/// ```swift
/// do {
///   print(try users.object(forKey: "ada").name)
/// } catch StorageError.notFound {
///   print("nobody is stored under this key")
/// } catch let error as StorageError {
///   print(error)   // The code, the message, the key, the location and the cause, in one line.
/// }
/// ```
///
/// Two errors are equal if their codes are equal, so `catch StorageError.notFound` and `error == .notFound` match
/// whatever the key. The type is a struct and not an enum, so that codes can be added without breaking a `switch`.
public struct StorageError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// A sentence for people that says what failed and what to do about it.
  public let message: String
  /// The key of the failed operation, or `nil` if it had none.
  public let key: (any Sendable)?
  /// The location of the failure: a file, folder or server.
  public let place: String?
  /// The underlying error.
  public let cause: (any Error)?
  /// Whether a tier in front could not drop its entry after the failure. Reads may return that entry, and not what the
  /// tiers behind have stored, until it is dropped.
  package private(set) var leavesOutdatedEntry = false

  /// Creates an error.
  public init(
    _ code: Code, _ message: String = "", key: (any Sendable)? = nil, place: String? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.place = place
    self.cause = cause
  }

  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as in `StorageError`.
    public let description: String

    /// Creates a code, for a failure that is specific to a backend. Codes with the same name are equal.
    public init(_ name: String) { description = name }
  }
}

extension StorageError: Equatable {
  /// Returns whether both errors have the same code. The key, the location and the cause do not count.
  public static func == (left: StorageError, right: StorageError) -> Bool { left.code == right.code }
}

extension StorageError {
  /// Nothing is stored under the key, or it has expired.
  public static let notFound = StorageError(.init("notFound"), "nothing is stored under this key")
  /// The bytes of the key cannot be read as the requested type. The bytes do not change.
  public static let typeNotMatch = StorageError(
    .init("typeNotMatch"), "the stored bytes cannot be read as this type")
  /// A file is not the expected entry: it is damaged, truncated, swapped or foreign. It has been set aside.
  public static let malformedFileAttributes = StorageError(
    .init("malformedFileAttributes"), "a file is not a valid entry")
  /// Bytes could not be decoded into a value.
  public static let decodingFailed = StorageError(.init("decodingFailed"), "the bytes cannot be decoded")
  /// A value could not be encoded. Nothing was stored.
  public static let encodingFailed = StorageError(.init("encodingFailed"), "the value cannot be encoded")
  /// A store was used after an object that it needs had been released.
  public static let deallocated = StorageError(.init("deallocated"), "the store has been released")
  /// A transformation of bytes, for example compression, failed.
  public static let transformerFail = StorageError(
    .init("transformerFail"), "a transformer could not process the bytes")
  /// The file system or server failed. The error has its location and the cause.
  public static let backendFailed = StorageError(.init("backendFailed"), "the backend failed")
  /// The value alone is larger than the store's limit. The previous value of the key does not change.
  public static let tooLarge = StorageError(.init("tooLarge"), "the value is larger than the store's limit")
  /// The operation would wait for itself for ever. Nothing was changed.
  ///
  /// Examples are a write from inside an `update` of the same key, a store whose `save` uses the delegate above it, and
  /// two `update`s that write each other's keys. The tasks that an operation starts count as part of it until it has
  /// ended, since it may wait for them. Call the store before or after the operation, or from a `Task.detached` that no
  /// caller waits for.
  public static let deadlock = StorageError(.init("deadlock"), "the operation would wait for itself for ever")

  /// The sum is too large or too small for its type. The stored number does not change.
  public static let overflow = StorageError(
    .init("overflow"), "the sum does not fit into the type of the number")

  /// The configuration of a store is invalid, for example a name that cannot be the name of a folder.
  public static let invalidConfiguration = StorageError(
    .init("invalidConfiguration"), "the configuration is invalid")
  /// The store was opened for reading only, and a write was refused.
  public static let readOnly = StorageError(.init("readOnly"), "the store was opened for reading only")
  /// The stored data was written by a newer version of Strata. It does not change.
  public static let newerFormat = StorageError(
    .init("newerFormat"), "the stored data was written by a newer version of Strata")

  /// Returns this error with the given message, key, location and cause in place of its own.
  public func with(
    _ message: String? = nil, key: (any Sendable)? = nil, place: String? = nil, cause: (any Error)? = nil
  ) -> StorageError {
    var error = StorageError(
      code, message ?? self.message, key: key ?? self.key, place: place ?? self.place,
      cause: cause ?? self.cause)
    error.leavesOutdatedEntry = leavesOutdatedEntry
    return error
  }

  /// Returns this error as one after which a tier in front could not drop its entry.
  package func leavingOutdatedEntry() -> StorageError {
    var error = self
    error.leavesOutdatedEntry = true
    return error
  }
}

extension StorageError: CustomStringConvertible {
  /// The code, message, key, location and cause in one line.
  public var description: String {
    var text = "\(code)"
    if !message.isEmpty { text += ": \(message)" }
    if let key { text += " [key: \(Self.shortened(key))]" }
    if let place { text += " [at: \(place)]" }
    if let cause { text += " [because: \(cause)]" }
    return text
  }

  /// Returns a key as text, shortened since a key may be 100 kB long. Counts Unicode scalars, since a single character
  /// may be as long.
  static func shortened(_ key: any Sendable) -> String {
    let text = String(reflecting: key)
    if text.unicodeScalars.count <= 80 { return text }
    return "\(String(text.unicodeScalars.prefix(72)))… (\(text.utf8.count) bytes)"
  }
}

extension StorageError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

/// Lets `catch StorageError.notFound` match.
public func ~= (pattern: StorageError, error: any Error) -> Bool {
  (error as? StorageError) == pattern
}

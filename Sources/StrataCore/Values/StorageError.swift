#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What went wrong, where, and why.
///
/// Two errors are equal when their codes are, so `catch StorageError.notFound` and `error == .notFound` hold
/// whatever the key. A struct and not an enum: codes can be added without breaking a `switch`.
public struct StorageError: Error, Sendable {
  /// What went wrong.
  public let code: Code
  /// What went wrong, in a sentence for a person, and what to do about it.
  public let message: String
  /// The key of the operation that failed, where it had one.
  public let key: (any Sendable)?
  /// The file, folder or server concerned.
  public let place: String?
  /// The error below this one.
  public let cause: (any Error)?

  /// Makes an error.
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

    /// A code of a backend's own. Codes of the same name are the same code.
    public init(_ name: String) { description = name }
  }
}

extension StorageError: Equatable {
  /// Whether both are failures of the same kind; the key, the place and the cause do not count.
  public static func == (left: StorageError, right: StorageError) -> Bool { left.code == right.code }
}

extension StorageError {
  /// Nothing is stored under the key, or it has expired.
  public static let notFound = StorageError(.init("notFound"), "nothing is stored under this key")
  /// The bytes under the key cannot be read as the type that was asked for. They stay as they are.
  public static let typeNotMatch = StorageError(
    .init("typeNotMatch"), "the stored bytes cannot be read as this type")
  /// A file is not the entry it should be: damaged, cut short, swapped or foreign. It has been set aside.
  public static let malformedFileAttributes = StorageError(
    .init("malformedFileAttributes"), "a file is not a valid entry")
  /// Bytes could not be turned into a value.
  public static let decodingFailed = StorageError(.init("decodingFailed"), "the bytes cannot be decoded")
  /// A value could not be turned into bytes. Nothing was stored.
  public static let encodingFailed = StorageError(.init("encodingFailed"), "the value cannot be encoded")
  /// A store was used after the object that it needs was gone.
  public static let deallocated = StorageError(.init("deallocated"), "the store is gone")
  /// A step that turns bytes into other bytes failed, compression say.
  public static let transformerFail = StorageError(
    .init("transformerFail"), "a transformer could not process the bytes")
  /// The file system or server below refused: the place is named and the cause says why.
  public static let backendFailed = StorageError(.init("backendFailed"), "the backend failed")
  /// The value alone is larger than the limit of the store. What was stored under the key stays.
  public static let tooLarge = StorageError(.init("tooLarge"), "the value is larger than the store's limit")
  /// The operation could only wait for itself. Nothing was changed by it.
  ///
  /// Thrown where code that an operation calls (the closure of an `update`, or a store whose `save` uses the delegate
  /// above it) writes the same key, and where two operations write each other's keys. The tasks that such code starts
  /// count as part of the operation until it has ended, since it may wait for them: call the store before or after the
  /// operation, or from a `Task.detached` that nobody waits for.
  public static let deadlock = StorageError(.init("deadlock"), "the operation would wait for itself for ever")

  /// The sum is too large or too small for its type. The number stays as it was.
  public static let overflow = StorageError(
    .init("overflow"), "the sum does not fit into the type of the number")

  /// A store was described in a way that cannot work, with a name that is no name for a folder, say.
  public static let invalidConfiguration = StorageError(
    .init("invalidConfiguration"), "the configuration cannot work")
  /// What is stored was written by a newer version of Strata. It stays as it is.
  public static let newerFormat = StorageError(
    .init("newerFormat"), "what is stored was written by a newer version of Strata")

  /// The same failure with its circumstances.
  public func with(
    _ message: String? = nil, key: (any Sendable)? = nil, place: String? = nil, cause: (any Error)? = nil
  ) -> StorageError {
    StorageError(
      code, message ?? self.message, key: key ?? self.key, place: place ?? self.place,
      cause: cause ?? self.cause)
  }
}

extension StorageError: CustomStringConvertible {
  /// All that is known, in one line.
  public var description: String {
    var text = "\(code)"
    if !message.isEmpty { text += ": \(message)" }
    if let key { text += " [key: \(Self.shortened(key))]" }
    if let place { text += " [at: \(place)]" }
    if let cause { text += " [because: \(cause)]" }
    return text
  }

  /// A key may be 100 kB long; a message that shows all of it shows nothing. Counted in scalars, since one character
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

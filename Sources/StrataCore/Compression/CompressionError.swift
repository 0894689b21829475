/// Why bytes could not be compressed or read, or why a dictionary cannot be used: the cause of a compressor's
/// `StorageError`s.
///
/// ```swift
/// do {
///   _ = try users.object(forKey: "ada")
/// } catch let error as StorageError where (error.cause as? CompressionError)?.code == .damaged {
///   try users.removeObject(forKey: "ada")
/// }
/// ```
public struct CompressionError: Error, Sendable {
  /// What went wrong.
  public let code: Code
  /// What went wrong, in a sentence for a person, and what to do about it.
  public let message: String
  /// The error below this one.
  public let cause: (any Error)?

  /// Makes an error.
  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as in `CompressionError.Code`.
    public let description: String

    init(_ name: String) { description = name }

    /// The bytes are cut short, changed, followed by others, or of another format.
    public static let damaged = Code("damaged")
    /// The bytes can only be read with a dictionary that is not known. The message names it.
    public static let unknownDictionary = Code("unknownDictionary")
    /// A dictionary is none, is damaged, or stands in the place of another.
    public static let invalidDictionary = Code("invalidDictionary")
    /// The samples make no dictionary: they are too few, too short, or have nothing in common.
    public static let trainingFailed = Code("trainingFailed")
    /// The library refused, for want of memory say.
    public static let libraryFailed = Code("libraryFailed")
  }
}

extension CompressionError: CustomStringConvertible {
  /// All that is known, in one line.
  public var description: String {
    "\(code): \(message)" + (cause.map { " [because: \($0)]" } ?? "")
  }
}

extension StorageError {
  /// A failure of a compressor, with its own error as the cause.
  package static func compression(_ error: CompressionError) -> StorageError {
    .transformerFail.with(error.message, cause: error)
  }
}

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
  /// The kind of failure.
  public let code: Code
  /// A readable sentence: what failed, and what to do about it.
  public let message: String
  /// The underlying error.
  public let cause: (any Error)?

  /// Creates an error.
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

    /// The bytes are truncated, changed, followed by other bytes, or of another format.
    public static let damaged = Code("damaged")
    /// The bytes need a dictionary that is unknown. The message names it.
    public static let unknownDictionary = Code("unknownDictionary")
    /// The bytes of a dictionary are damaged, are not a dictionary, or are another dictionary than expected.
    public static let invalidDictionary = Code("invalidDictionary")
    /// No dictionary could be trained: the samples are too few, too short, or have nothing in common.
    public static let trainingFailed = Code("trainingFailed")
    /// The library failed, for example for lack of memory.
    public static let libraryFailed = Code("libraryFailed")
  }
}

extension CompressionError: CustomStringConvertible {
  /// The code, the message and the cause in one line.
  public var description: String {
    "\(code): \(message)" + (cause.map { " [because: \($0)]" } ?? "")
  }
}

extension StorageError {
  /// Returns the store's error for a failure of a compressor, with that failure as the cause.
  package static func compression(_ error: CompressionError) -> StorageError {
    .transformerFail.with(error.message, cause: error)
  }
}

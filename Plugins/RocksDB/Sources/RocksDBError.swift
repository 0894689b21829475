internal import CRocksDB
import StrataEngines

/// An error reported by RocksDB: the `cause` of a `StorageError` of a RocksDB store.
///
/// ```swift
/// do {
///   try readings.setObject(bytes, forKey: "oslo")
/// } catch let error as StorageError {
///   if let cause = error.cause as? RocksDBError { print(cause.name) }   // "IOError"
/// }
/// ```
public struct RocksDBError: Error, Equatable, CustomStringConvertible {
  /// The code of RocksDB's status, such as 5 for an error of the file system; -1 if the text begins with no known
  /// status.
  public let code: Int32
  /// The code's name, such as `IOError`.
  public let name: String
  /// RocksDB's message, which often names a file.
  public let message: String

  /// Parses the text of a status: RocksDB's C interface provides nothing else.
  init(status text: String) {
    let kind = Self.kinds.first { text.hasPrefix($0.prefix) }
    code = kind?.code ?? -1
    name = kind?.name ?? "Unknown"
    message = String(text.dropFirst(kind?.prefix.count ?? 0))
  }

  /// Name, code and message in one line.
  public var description: String { "\(name) (\(code)): \(message)" }

  private static let kinds: [(code: Int32, name: String, prefix: String)] = [
    (1, "NotFound", "NotFound: "), (2, "Corruption", "Corruption: "),
    (3, "NotSupported", "Not implemented: "),
    (4, "InvalidArgument", "Invalid argument: "), (5, "IOError", "IO error: "),
    (6, "MergeInProgress", "Merge in progress: "), (7, "Incomplete", "Result incomplete: "),
    (8, "ShutdownInProgress", "Shutdown in progress: "), (9, "TimedOut", "Operation timed out: "),
    (10, "Aborted", "Operation aborted: "), (11, "Busy", "Resource busy: "),
    (12, "Expired", "Operation expired: "), (13, "TryAgain", "Operation failed. Try again.: "),
    (14, "CompactionTooLarge", "Compaction too large: "),
    (15, "ColumnFamilyDropped", "Column family dropped: "),
  ]
}

extension RocksDBError {
  /// Returns the error for a store in a folder, with advice for the user.
  func explained(at place: String) -> StorageError {
    let kind: StorageError
    var advice = ""
    if name == "Corruption" {
      kind = .malformedFileAttributes
      advice =
        "; the database is damaged, and was left unchanged: restore a copy, or remove the folder"
    } else if name == "InvalidArgument", message.contains("is not linked with the binary") {
      kind = .invalidConfiguration
      advice = "; choose a compression that this build of RocksDB has"
    } else {
      kind = .backendFailed
      if message.contains("\(place)/LOCK") {
        advice = "; another process has it open, and only one can write: close it there, or set `isReadOnly`"
      } else if name == "IOError" {
        advice =
          "; after a failed write RocksDB refuses all others: release all stores in the folder, and open them again"
      }
    }
    return kind.with("\(self)\(advice)", place: place, cause: self)
  }
}

/// Calls a RocksDB function and throws the error it reports.
@inline(__always)
func calling<R>(_ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R) throws(RocksDBError) -> R {
  var text: UnsafeMutablePointer<CChar>?
  let result = call(&text)
  if let text { throw taken(text) }
  return result
}

/// Calls a RocksDB function that creates an object, and throws the error it reports.
func making(
  _ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> OpaquePointer?
) throws(RocksDBError) -> OpaquePointer {
  guard let made = try calling(call) else { throw RocksDBError(status: "RocksDB gave no reason") }
  return made
}

/// Returns the error for the text of a status, and frees the text.
func taken(_ text: UnsafeMutablePointer<CChar>) -> RocksDBError {
  defer { rocksdb_free(text) }
  return RocksDBError(status: String(cString: text))
}

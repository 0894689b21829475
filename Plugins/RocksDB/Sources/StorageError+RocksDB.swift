#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension StorageError {
  /// The error of a user's call that failed on something below it.
  static func explaining(
    _ error: any Error, _ aim: String, key: (any Sendable)? = nil, place: String
  ) -> StorageError {
    switch error {
    case let error as StorageError: error
    case let error as RocksDBError: error.explained(aim, key: key, place: place)
    case is Record.Foreign:
      .malformedFileAttributes.with(
        "cannot \(aim): the record is not one of Strata's; it stays as it is", key: key, place: place)
    case let error as LimitExceeded:
      .tooLarge.with(
        "the entries would be \(error.size) bytes long, and all together may have \(error.limit)", key: key,
        place: place)
    default: .backendFailed.with("cannot \(aim)", key: key, place: place, cause: error)
    }
  }
}

extension RocksDBError {
  fileprivate func explained(_ aim: String, key: (any Sendable)?, place: String) -> StorageError {
    let kind: StorageError
    var advice = ""
    if name == "Corruption" {
      kind = .malformedFileAttributes
      advice = "; the database is damaged, and its files stay as they are: restore a copy, or remove the folder"
    } else if name == "InvalidArgument", message.contains("is not linked with the binary") {
      kind = .invalidConfiguration
      advice = "; choose a compression that this build of RocksDB has"
    } else {
      kind = .backendFailed
      if message.contains("\(place)/LOCK") {
        advice = "; is it open in another process? Only one at a time can have it open"
      }
    }
    return kind.with("cannot \(aim): \(self)\(advice)", key: key, place: place, cause: self)
  }
}

/// A line on standard error, for what there is nobody to throw to.
func report(_ message: String) {
  let line = Array("Strata: \(message)\n".utf8)
  write(STDERR_FILENO, line, line.count)
}

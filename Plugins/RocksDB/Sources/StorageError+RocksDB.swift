#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension StorageError {
  /// Returns the error of a public call that failed with an internal error.
  static func explaining(
    _ error: any Error, _ aim: String, key: (any Sendable)? = nil, place: String
  ) -> StorageError {
    switch error {
    case let error as StorageError: error
    case let error as RocksDBError: error.explained(aim, key: key, place: place)
    case is Record.Foreign:
      .malformedFileAttributes.with(
        "cannot \(aim): the record was not written by Strata, and is left unchanged", key: key, place: place)
    case let error as LimitExceeded:
      .tooLarge.with(
        "the entries have \(error.size) bytes, and the limit is \(error.limit)", key: key,
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
      advice =
        "; the database is damaged, and its files stay as they are: restore a copy, or remove the folder"
    } else if name == "InvalidArgument", message.contains("is not linked with the binary") {
      kind = .invalidConfiguration
      advice = "; choose a compression that this build of RocksDB supports"
    } else {
      kind = .backendFailed
      if message.contains("\(place)/LOCK") {
        advice = "; another process has it open, and only one at a time can"
      } else if name == "IOError" {
        advice =
          "; after a failed write RocksDB refuses all others until every store in the folder was closed and is opened again"
      }
    }
    return kind.with("cannot \(aim): \(self)\(advice)", key: key, place: place, cause: self)
  }
}

/// Writes a line to standard error, for errors that cannot be thrown to a caller.
func report(_ message: String) {
  let line = Array("Strata: \(message)\n".utf8)
  write(STDERR_FILENO, line, line.count)
}

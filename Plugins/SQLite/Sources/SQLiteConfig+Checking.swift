import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SQLiteConfig {
  /// The path from the root, so that a change of the working directory does not move the store.
  func absolutePath() throws(StorageError) -> String {
    if path.isEmpty || path.utf8.contains(0) {
      throw .unusable("\(String(reflecting: path)) is no path of a file")
    }
    if path.hasPrefix("/") { return path }
    let folder = FileManager.default.currentDirectoryPath
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  func checkedTable() throws(StorageError) -> EntryTable {
    guard EntryTable.isName(table) else {
      throw .unusable(
        "\(String(reflecting: table)) cannot name a table: it is empty, has a NUL byte, or starts with \"sqlite_\""
      )
    }
    return EntryTable(name: table, isLimited: maxSize > 0)
  }

  func timeout() throws(StorageError) -> Duration {
    // What SQLite counts in: milliseconds in 32 bits.
    guard busyTimeout >= 0, busyTimeout <= Double(Int32.max) / 1000 else {
      throw .unusable("\(busyTimeout) is no number of seconds to wait for a lock: name one from 0 to 2147483")
    }
    return .seconds(busyTimeout)
  }
}

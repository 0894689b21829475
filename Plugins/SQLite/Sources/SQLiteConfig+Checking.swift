import StrataCore

extension SQLiteConfig {
  func checkedTable() throws(StorageError) -> EntryTable {
    guard EntryTable.isName(table) else {
      throw .invalidConfiguration.with(
        "\(String(reflecting: table)) cannot name a table: it is empty, has a NUL byte, or starts with \"sqlite_\""
      )
    }
    return EntryTable(name: table, isLimited: maxSize > 0)
  }

  func timeout() throws(StorageError) -> Duration {
    // SQLite counts the timeout as milliseconds in 32 bits.
    guard busyTimeout >= 0, busyTimeout <= Double(Int32.max) / 1000 else {
      throw .invalidConfiguration.with(
        "\(busyTimeout) is not a valid `busyTimeout`; use a number of seconds from 0 to 2147483")
    }
    return .seconds(busyTimeout)
  }
}

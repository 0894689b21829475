#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import StrataSQLite
import TestSupport

/// The database file of a test, in its own folder.
struct TestFile {
  let folder = TemporaryFolder()

  var path: String { folder.url.appending(path: "store.db").path }

  /// Opens a store. Each call corresponds to a restart, or to another user of the file.
  func open<Key: StorageKey>(
    _ type: Key.Type = String.self, table: String = "entries", expiry: Expiry = .never, maxSize: UInt = 0,
    durability: SQLiteConfig.Durability = .normal, busyTimeout: Double = 5, clock: StorageClock = .system
  ) throws -> SQLiteStorage<Key> {
    try SQLiteStorage(
      config: SQLiteConfig(
        path: path, table: table, expiry: expiry, maxSize: maxSize, durability: durability,
        busyTimeout: busyTimeout, clock: clock))
  }

  /// Opens the file as another program would.
  func raw() throws -> RawDatabase { try RawDatabase(path) }

  var bytes: Data { get throws { try Data(contentsOf: URL(filePath: path)) } }
}

func text(_ string: String) -> Data { Data(string.utf8) }

/// Returns the `StorageError` that `body` throws, or `nil` if it throws none.
func failure<R>(_ body: () throws -> R) -> StorageError? {
  do { _ = try body() } catch { return error as? StorageError }
  return nil
}

/// Another library, whose entries a store imports if it finds them in its folder.
///
/// ```swift
/// let users = try Storage<String, User>(
///   diskConfig: DiskConfig(name: "users", predecessor: .hyperosloCache), transformer: .codable(User.self))
/// ```
public enum DiskPredecessor: Sendable, Hashable {
  /// Cache by hyperoslo. Each entry is a file, named by the MD5 of its key and the key's file extension, if it has one.
  /// The file contains the bytes from Cache's transformer; its last modification date is the expiry.
  ///
  /// A typed value is wrapped as the only member of a JSON object, `{"object":…}`, and is unwrapped, so that `.codable`
  /// reads it. Stored bytes that happen to have the same form are unwrapped too, since the file does not distinguish
  /// them.
  ///
  /// The names of the files do not contain the keys. So an entry is found by its key, and imported then; before that,
  /// `keys()` does not include it. `totalSize` and the limit do, and list the folder for that. `removeExpiredObjects()`
  /// deletes expired files. Under a limit, files that have not been imported are evicted before entries, the ones that
  /// expire first before others. Keys that are not strings cannot be found: their names depend on Swift's hashes, which
  /// differ between processes.
  case hyperosloCache

  /// AsyncStorages. Each entry is a file, named by its key in Base64, with `-` and `_` in place of `+` and `/`. The
  /// file contains the bytes of the value. `DiskStorage.folder(_:in:)` of AsyncStorages writes this format, unless it
  /// is given another encoder of file names.
  ///
  /// The names of the files contain the keys. So `keys()`, `totalSize` and the limit include all entries at once. They
  /// never expire, whatever `DiskConfig.expiry` says. The folder is scanned when the store is opened: entries that an
  /// AsyncStorages program writes later are found at the next opening.
  ///
  /// Every file whose name AsyncStorages could have chosen is imported. A file named `Pictures`, for example, is not:
  /// these letters are not the Base64 of any text.
  case asyncStorages
}

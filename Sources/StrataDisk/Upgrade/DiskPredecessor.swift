/// Another library, whose entries a store takes over where it finds them in its folder.
public enum DiskPredecessor: Sendable, Hashable {
  /// Cache by hyperoslo: a file an entry, named by the MD5 of its key and the key's file extension, if it has one; in
  /// it the bytes as its transformer made them; and the date of the last modification is that of expiry.
  ///
  /// A typed value stands there as the only member of a JSON object, `{"object":…}`, and is taken out of it, so that
  /// `.codable` reads it. Nothing tells such a file from bytes of the same form that were stored as they are: these are
  /// taken out too.
  ///
  /// Its folder does not say which keys it holds. So an entry is found by its key, and only then taken over: `keys()`,
  /// `totalSize` and the limit do not know it before. Keys that are no strings cannot be found: their names changed
  /// with Swift's hashes.
  case hyperosloCache

  /// AsyncStorages: a file an entry, named by its key in Base64, with `-` and `_` in place of `+` and `/`; in it the
  /// bytes of the value. It is what `DiskStorage.folder(_:in:)` of AsyncStorages writes, unless it is given another
  /// encoder of file names.
  ///
  /// Its folder says which keys it holds. So `keys()`, `totalSize` and the limit know all entries at once. They never
  /// expire, whatever `DiskConfig.expiry` says. The folder is looked through when the store is opened: what a
  /// program of AsyncStorages writes later is found the next time.
  ///
  /// Every file in the folder whose name could be AsyncStorages' is taken for its own: one named `Pictures`, say, is
  /// not, since these letters are the Base64 of no text.
  case asyncStorages
}

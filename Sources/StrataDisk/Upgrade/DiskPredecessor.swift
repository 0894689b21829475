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
}

import StrataCore

/// A position in the keys of a replaying store: in those of writes that wait, or then in the stored ones.
struct ReplayPosition<Key: Hashable & Sendable>: Sendable {
  /// The keys of writes that waited when the iteration began. They are not listed again when the writes have been made.
  let listed: Set<Key>
  /// Those of them that are still to be listed.
  var rest: ArraySlice<Key>
  /// The position in the stored keys.
  var stored: KeyCursor?

  init(_ waiting: [Key]) {
    listed = Set(waiting)
    rest = waiting[...]
  }
}

import StrataCore

/// A position in the keys of a replaying store: first the keys of pending writes, then the stored keys.
struct ReplayPosition<Key: Hashable & Sendable>: Sendable {
  /// The keys of writes that were pending when the iteration began. They are not listed again after the writes were
  /// executed.
  let listed: Set<Key>
  /// The part of `listed` that is not listed yet.
  var rest: ArraySlice<Key>
  /// The position in the stored keys.
  var stored: KeyCursor?

  init(_ waiting: [Key]) {
    listed = Set(waiting)
    rest = waiting[...]
  }
}

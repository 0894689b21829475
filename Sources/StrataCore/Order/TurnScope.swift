/// The keys that an operation needs exclusively.
@usableFromInline
package enum TurnScope<Key: Hashable & Sendable>: Sendable {
  case key(Key)
  /// Several keys, each once.
  case keys(Set<Key>)
  case everything

  @inlinable
  package init(_ keys: some Sequence<Key>) { self = .keys(Set(keys)) }

  @inlinable
  func overlaps(_ other: TurnScope) -> Bool {
    switch (self, other) {
    case (.everything, _), (_, .everything): true
    case (.key(let a), .key(let b)): a == b
    case (.key(let key), .keys(let keys)), (.keys(let keys), .key(let key)): keys.contains(key)
    case (.keys(let a), .keys(let b)): !a.isDisjoint(with: b)
    }
  }
}

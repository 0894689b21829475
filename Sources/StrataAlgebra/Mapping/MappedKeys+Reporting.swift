import StrataCore

extension MappedKeys: ChangeReporting {
  /// A key that cannot be mapped has no changes to report: reads of it throw.
  @usableFromInline
  func reportChanges(ofKey key: Key, _ tell: @escaping @Sendable () -> Bool) -> [ObservationToken] {
    do { return try base.observeChanges(ofKey: mapFrom(key), tell) } catch { return [] }
  }

  @usableFromInline
  func reportChanges(_ tell: @escaping @Sendable (StorageChange<Key>?) -> Bool) -> [ObservationToken] {
    base.observeChanges { [mapTo] (change: StorageChange<Base.Key>?) in
      // A key without a counterpart concerns no key here; one that cannot be mapped may concern any.
      do {
        switch change {
        case .add(let key): return try mapTo(key).map { tell(.add(key: $0)) } ?? true
        case .remove(let key): return try mapTo(key).map { tell(.remove(key: $0)) } ?? true
        case .removeInMemory(let key): return try mapTo(key).map { tell(.removeInMemory(key: $0)) } ?? true
        case .removeAll: return tell(.removeAll)
        case .removeExpired: return tell(.removeExpired)
        case nil: return tell(nil)
        }
      } catch { return tell(nil) }
    }
  }

  /// Inner keys that cannot be mapped have no observers here.
  @usableFromInline var observedKeys: [Key] {
    base.observedKeys(as: Base.Key.self).compactMap { key in
      do { return try mapTo(key) } catch { return nil }
    }
  }

  @usableFromInline func reportLostEntries() { base.reportLostEntries() }
}

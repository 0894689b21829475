/// The operations of a front that `Coherence` uses, whatever the front's type.
struct CoherentFront<Key: Hashable & Sendable>: Sendable {
  /// Removes keys before it returns; `nil` for a front that may block or suspend the thread of the invalidation source.
  let removeNow: (@Sendable ([Key]) throws -> Void)?
  /// Empties the front before it returns; `nil` as for `removeNow`.
  let emptyNow: (@Sendable () throws -> Void)?
  let perform: @Sendable (CoherenceState<Key>.Chore) async throws -> Void

  init<Front: StorageAware>(_ front: Front) where Front.Key == Key {
    guard let sync = front as? any SyncStorageAware<Key, Front.Value> else {
      removeNow = nil
      emptyNow = nil
      perform = { chore in
        switch chore {
        case .empty: try await front.removeAll()
        case .remove(let keys): try await front.removeObjects(forKeys: Array(keys))
        }
      }
      return
    }
    let perform: @Sendable (CoherenceState<Key>.Chore) throws -> Void = { chore in
      switch chore {
      case .empty: try sync.removeAll()
      case .remove(let keys): try sync.removeObjects(forKeys: Array(keys))
      }
    }
    if sync.mayBlock {
      removeNow = nil
      emptyNow = nil
      let pool = BlockingPool(width: 1)
      self.perform = { chore in try await pool.run { try perform(chore) } }
    } else {
      removeNow = { keys in for key in keys { try sync.removeObject(forKey: key) } }
      emptyNow = { try sync.removeAll() }
      self.perform = { try perform($0) }
    }
  }
}

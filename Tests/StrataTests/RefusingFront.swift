import Strata
import TestSupport

/// A front of which the next changes fail without an effect.
final class RefusingFront: SyncSimpleStorage {
  private struct State {
    var refusals = 0
    var failsReadsThen = false
  }

  private let base = DictionaryStorage<String, TypeWrapper>()
  private let state = Locked(State())

  /// Refuses the next changes. With `thenReads`, every read after them fails too, until `work` is called.
  func refuseNext(_ count: Int = 1, thenReads: Bool = false) {
    state.withLock { $0 = State(refusals: count, failsReadsThen: thenReads) }
  }

  /// Ends all failures.
  func work() { state.withLock { $0 = State() } }

  /// Drops all entries, as a memory that is full does.
  func evictAll() throws { try base.removeAll() }

  private func change(_ body: () throws -> Void) throws {
    let isRefused = state.withLock { state in
      if state.refusals == 0 { return false }
      state.refusals -= 1
      return true
    }
    if isRefused { throw Failure.first }
    try body()
  }

  func entryIfPresent(forKey key: String) throws -> Entry<TypeWrapper>? {
    if state.withLock({ $0.failsReadsThen && $0.refusals == 0 }) { throw Failure.second }
    return try base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: TypeWrapper, forKey key: String, expiry: Expiry?) throws {
    try change { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) throws { try change { try base.removeObject(forKey: key) } }
  func removeAll() throws { try change { try base.removeAll() } }
  func removeExpiredObjects() throws { try change { try base.removeExpiredObjects() } }
  func keys() throws -> [String] { try base.keys() }
}

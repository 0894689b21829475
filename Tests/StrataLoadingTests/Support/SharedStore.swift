import Strata
import StrataCore
import TestSupport

/// A store that several loading stores share as several processes would, and the leases of its keys.
final class SharedStore: SimpleStorage, StorageLeasing {
  private struct State {
    var holders: [String: (token: UInt64, end: Double)] = [:]
    var isFrozen = false
    var failure: (any Error)?
    var extensions = 0
    var extensionFailures = 0
  }

  let inner: DictionaryStorage<String, Cached<Int>>
  let time: ManualClock
  let invalidationSource: InvalidationSource<String>?
  private let state = Locked(State())

  init(_ time: ManualClock, announces: Bool = false) {
    self.time = time
    inner = DictionaryStorage(clock: time.clock)
    invalidationSource = announces ? InvalidationSource() : nil
  }

  var clock: StorageClock { inner.clock }
  var leases: (any StorageLeasing<String>)? { self }
  /// Stops all extensions of leases, as if the process that holds them were stopped.
  func freeze() { state.withLock { $0.isFrozen = true } }
  func breaks() { state.withLock { $0.failure = Failure.first } }
  /// Makes the next extensions of leases fail.
  func failExtending(_ count: Int) { state.withLock { $0.extensionFailures = count } }
  /// The number of attempts to extend a lease.
  var extensions: Int { state.withLock { $0.extensions } }
  var leaseCount: Int { state.withLock { $0.holders.count } }

  private var now: Double { time.now.sinceStart / .seconds(1) }

  func acquire(_ key: String, for time: Duration) async throws -> StorageLease? {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      if let holder = state.holders[key], holder.end > now { return nil }
      let lease = StorageLease(issuer: self)
      state.holders[key] = (lease.token, now + time / .seconds(1))
      return lease
    }
  }
  func extend(_ lease: StorageLease, of key: String, for time: Duration) async throws -> Bool {
    try state.withLock { state in
      state.extensions += 1
      if state.extensionFailures > 0 {
        state.extensionFailures -= 1
        throw Failure.first
      }
      guard !state.isFrozen, state.holders[key]?.token == lease.token else { return false }
      state.holders[key]?.end = now + time / .seconds(1)
      return true
    }
  }
  func release(_ lease: StorageLease, of key: String) async throws {
    state.withLock { if $0.holders[key]?.token == lease.token { $0.holders[key] = nil } }
  }
  private func check(_ key: String) throws {
    guard let lease = StorageLease.current else { return }
    if state.withLock({ $0.holders[key]?.token }) != lease.token { throw StorageError.leaseLost }
  }

  func entryIfPresent(forKey key: String) async throws -> Entry<Cached<Int>>? {
    try await inner.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Cached<Int>, forKey key: String, expiry: Expiry?) async throws {
    try check(key)
    try await inner.setObject(object, forKey: key, expiry: expiry)
    invalidationSource?.changed([key])
  }
  func removeObject(forKey key: String) async throws { try await inner.removeObject(forKey: key) }
  func removeAll() async throws { try await inner.removeAll() }
  func removeExpiredObjects() async throws { try await inner.removeExpiredObjects() }
  func keys() async throws -> [String] { try await inner.keys() }
}

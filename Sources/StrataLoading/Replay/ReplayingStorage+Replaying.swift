import StrataCore
import Synchronization

extension ReplayingStorage {
  /// Makes a change, or queues it if the store fails or other changes are pending.
  func make(
    _ scope: TurnScope<Key>, _ change: () async throws -> Void,
    orAdd add: (inout Queue) -> (added: [Key?], all: Bool)
  ) async throws {
    let added: [Key?] = try await order.withTurn(scope) {
      var failure: any Error = StorageError.unavailable
      if queue.withLock({ $0.isEmpty }) {
        do {
          try await change()
          return []
        } catch {
          guard StorageError.mayPass(error), !Task.isCancelled, StorageLease.current == nil else {
            throw error
          }
          failure = error
        }
      }
      let (added, all) = queue.withLock(add)
      for key in added { onEvent(.deferred(key, failure)) }
      if !all { throw failure }
      return added
    }
    if !added.isEmpty { begin() }
  }

  /// Schedules a retry of the pending writes.
  private func begin() {
    replayer.withLock { replayer in
      guard replayer == nil else { return }
      let (backoff, sleeping) = (backoff, sleeping)
      replayer = Task.detached { [weak self] in
        var failures = 1
        while true {
          do {
            try await sleeping.sleep(for: backoff.delay(afterFailures: failures, random: .random(in: 0...1)))
          } catch { return }
          guard let self else { return }
          failures += 1
          do { try await self.replay() } catch { continue }
          if self.rests() { return }
        }
      }
    }
  }

  /// Ends the retry task if nothing is pending.
  private func rests() -> Bool {
    replayer.withLock { replayer in
      guard queue.withLock({ $0.isEmpty }) else { return false }
      replayer = nil
      return true
    }
  }

  /// Executes the pending writes in order. Throws at the first one that fails again.
  ///
  /// ```swift
  /// try await queued.replay()   // For example before the program ends.
  /// print(queued.waitingWrites)
  /// ```
  ///
  /// Retries also happen automatically. Call this before the program ends, so that nothing is lost.
  public func replay() async throws {
    while let next = queue.withLock({ $0.next() }) {
      let scope: TurnScope<Key> = next.change.map { .key($0.key) } ?? .everything
      try await order.withTurn(scope) {
        // Another caller, or a newer write, may have been faster.
        guard queue.withLock({ $0.next()?.number }) == next.number else { return }
        do {
          try await apply(next)
          onEvent(.replayed(next.change?.key))
        } catch {
          if Task.isCancelled || StorageError.mayPass(error) { throw error }
          onEvent(.dropped(next.change?.key, error))
        }
        queue.withLock { $0.done(next) }
      }
    }
  }

  private func apply(_ next: Queue.Next) async throws {
    guard let (key, write) = next.change else { return try await base.removeAll() }
    let change: StoreChange<Value>
    switch write {
    case .set(let value, let expiry, let ifAbsent):
      let isOver = expiry?.isExpired(by: clock) == true
      if isOver, ifAbsent { return }
      // A write that expired while pending still replaces the older stored value.
      change = isOver ? .remove : ifAbsent ? .setIfAbsent(value, expiry) : .set(value, expiry)
    case .remove: change = .remove
    }
    _ = try await base.change(key, change, [])
  }

  /// Returns a key's entry among the pending writes; `nil` if the store must be read.
  func waiting(_ key: Key) -> Entry<Value>?? {
    queue.withLock { $0.isEmpty ? nil : $0.entry(of: key, ownExpiry.resolved(by: clock)) }
  }

  /// Reads from the store; on success, replays the pending writes without the usual delay.
  ///
  /// Of many concurrent reads, one starts a replay: a store that serves reads and refuses writes must not get a write
  /// for every read.
  func reading<R>(_ read: () async throws -> R) async throws -> R {
    let result = try await read()
    if !queue.withLock({ $0.isEmpty }), !isReplaying.exchange(true, ordering: .acquiringAndReleasing) {
      Task.detached { [self] in
        defer { isReplaying.store(false, ordering: .releasing) }
        // If a write fails again, the task of `begin` tries it later.
        do { try await replay() } catch {}
      }
    }
    return result
  }
}

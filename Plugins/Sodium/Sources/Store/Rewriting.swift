#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataAlgebra
public import StrataCore

/// Stores a value again without ever overwriting a concurrent write.
///
/// If the inner store has an atomic `update`, the update compares and writes. Otherwise all writes of encrypting stores
/// over the same inner store take a turn in one per-key ordering, below the ordering of `Storage`. A rewrite compares
/// within its turn.
@usableFromInline
final class Rewriting<Base: StorageAware>: Sendable where Base.Value == Data {
  @usableFromInline typealias Key = Base.Key

  let updating: (any UpdateableStorage<Key, Data>)?
  let syncUpdating: (any SyncUpdateableStorage<Key, Data>)?
  /// The per-key ordering of writes, if the inner store has no atomic update.
  @usableFromInline let line: KeyOrder<Key>?
  /// Retains the coordinator: if nothing retained it, the next caller would get a new one.
  private let coordinator: StorageCoordinator<Key>?
  private let onFailure: @Sendable (Key, any Error) -> Void

  init(_ base: Base, onFailure: (@Sendable (Key, any Error) -> Void)?) {
    coordinator = base.coordinator
    updating = base as? any UpdateableStorage<Key, Data>
    syncUpdating = base as? any SyncUpdateableStorage<Key, Data>
    if updating != nil {
      line = nil
    } else if base.reachToFirst(where: { $0 is any EncryptingLink }) != nil {
      // The coordinator's ordering is used by the encrypting store below. Waiting for it within its own turn would
      // deadlock.
      line = KeyOrder(over: [base])
    } else {
      line = coordinator?.rewrites ?? KeyOrder(over: [base])
    }
    self.onFailure = onFailure ?? Self.tellingOnce()
  }

  func report(_ error: any Error, _ key: Key) { onFailure(key, error) }

  private static func tellingOnce() -> @Sendable (Key, any Error) -> Void {
    let told = Told()
    return { key, error in
      if told.isFirst() {
        let line = Array(
          ("Strata: a value with an old key was read, but could not be stored with the newest key: "
            + "\(error). Each read tries again; `onFailure` of `encrypted(with:)` reports each failure.\n")
            .utf8)
        write(STDERR_FILENO, line, line.count)
      }
    }
  }

  private final class Told: Sendable {
    private let wasTold = Locked(false)

    func isFirst() -> Bool {
      wasTold.withLock { wasTold in
        defer { wasTold = true }
        return !wasTold
      }
    }
  }
}

/// Marks encrypting stores, so that an encrypting store can find another one below it.
protocol EncryptingLink: StorageDesign {}

extension EncryptedStorage: EncryptingLink {}

/// Thrown within an update to leave the stored value unchanged: it was written since it was read.
private struct WrittenMeanwhile: Error {}

extension Rewriting {
  /// Replaces the bytes of an entry and keeps its expiry. Returns `false` if the stored bytes are no longer those of
  /// `seen`.
  func replace(_ seen: Entry<Data>, with new: Data, forKey key: Key, in base: Base) async throws -> Bool {
    if let updating {
      return try await unlessWritten {
        try await updating.update(forKey: key) { stored in
          guard stored == seen.object else { throw WrittenMeanwhile() }
          stored = new
        }
      }
    }
    return try await writing(.key(key)) {
      guard let stored = try await base.entryIfPresent(forKey: key), stored.object == seen.object else {
        return false
      }
      try await base.setObject(new, forKey: key, expiry: stored.expiry)
      return true
    }
  }

  /// Runs a write, in its turn if there is an ordering.
  @inlinable
  func writing<R: Sendable>(_ scope: TurnScope<Key>, _ write: () async throws -> R) async throws -> R {
    guard let line else { return try await write() }
    return try await line.withTurn(scope, write)
  }

  private func unlessWritten(_ write: () async throws -> Void) async throws -> Bool {
    do { try await write() } catch is WrittenMeanwhile { return false } catch StorageError.notFound {
      return false
    }
    return true
  }
}

extension Rewriting where Base: SyncStorageAware {
  /// Replaces the bytes of an entry and keeps its expiry. Returns `false` if the stored bytes are no longer those of
  /// `seen`.
  func replace(_ seen: Entry<Data>, with new: Data, forKey key: Key, in base: Base) throws -> Bool {
    if let syncUpdating {
      do {
        try syncUpdating.update(forKey: key) { stored in
          guard stored == seen.object else { throw WrittenMeanwhile() }
          stored = new
        }
        return true
      } catch is WrittenMeanwhile { return false } catch StorageError.notFound { return false }
    }
    return try writing(.key(key)) {
      guard let stored = try base.entryIfPresent(forKey: key), stored.object == seen.object else {
        return false
      }
      try base.setObject(new, forKey: key, expiry: stored.expiry)
      return true
    }
  }

  /// Runs a write, in its turn if there is an ordering.
  @inlinable
  func writing<R>(_ scope: TurnScope<Key>, _ write: () throws -> R) throws -> R {
    guard let line else { return try write() }
    return try line.withTurn(scope, write)
  }
}

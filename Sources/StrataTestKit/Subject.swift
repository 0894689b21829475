#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store under test: how to open it, and which promises it does not make.
///
/// ```swift
/// let subject = Subject("MyStore", except: [.sortedKeys]) { place in
///   try MyStore(path: place.path + "/entries.db", expiry: place.expiry, clock: place.clock)
/// }
/// ```
public struct Subject: Sendable {
  /// The name shown in messages. Subjects that one test checks need different names.
  public let name: String
  /// The promises that the store does not make. Their checks are skipped.
  public let except: Set<Contract>
  /// How many seconds too early or too late a value may expire.
  public let expiryResolution: Double
  /// The number of bytes of the largest value that the store must accept, at least 4096.
  public let hugeValueSize: Int
  /// The number of entries of the large batch.
  public let batchSize: Int
  /// Whether `update` is one operation across processes too. If so, the check of `.updating` has two processes
  /// increment one number.
  public let updatesAcrossProcesses: Bool
  /// Whether other readers see all of a batch of `setEntries` or nothing. If so, the check of `.entries` reads
  /// meanwhile.
  public let hasAtomicEntries: Bool
  /// The number of seconds after which the check of a promise ends, and counts as broken.
  public let timeLimit: Double
  var open: @Sendable (Place) async throws -> any StorageAware<String, Data>
  /// Makes the stored entry of a key unreadable.
  let damage: (@Sendable (Place, _ key: String) async throws -> Void)?
  /// Opens the store wrapped so that it is called with `await` on its own type.
  var openAwaited: (@Sendable (Place) async throws -> any StorageAware<String, Data>)?
  /// Opens the store over a connection that can be lost.
  var openLossy: (@Sendable (Place) async throws -> LossyStore)?
  /// Waits until a server has executed the requests of killed processes.
  var settle: (@Sendable () async throws -> Void)?

  /// Describes a store under test.
  ///
  /// - Parameters:
  ///   - name: the name of the store in messages.
  ///   - except: the promises that the store does not make: `.ofPersistence`, for example, for a store in memory.
  ///   - expiryResolution: the number of seconds by which a value may expire too early or too late: 0.001 for a store
  ///     that rounds dates to milliseconds.
  ///   - hugeValueSize: the number of bytes of the largest value that the store must accept, for a store with a lower
  ///     limit than 64 MiB; at least 4096.
  ///   - batchSize: the number of entries of the large batch, for a store that is slow to write each.
  ///   - updatesAcrossProcesses: whether `update` is one operation across processes too.
  ///   - hasAtomicEntries: whether other readers see all of a batch of `setEntries` or nothing.
  ///   - timeLimit: the number of seconds after which the check of a promise ends, and counts as broken.
  ///   - damage: makes the stored entry of a key unreadable, for the check of `damage`: called while no store is open
  ///     at the location. Without it, that promise is not checked.
  ///   - open: opens the store at a location. If called several times for one location, it opens the same store again:
  ///     after the last one was released, beside it, or in another process.
  public init(
    _ name: String, except: Set<Contract> = [], expiryResolution: Double = 0, hugeValueSize: Int = 64 << 20,
    batchSize: Int = 1200, updatesAcrossProcesses: Bool = false, hasAtomicEntries: Bool = false,
    timeLimit: Double = 600, damage: (@Sendable (Place, _ key: String) async throws -> Void)? = nil,
    open: @escaping @Sendable (Place) async throws -> any StorageAware<String, Data>
  ) {
    self.name = name
    self.except = except
    self.expiryResolution = expiryResolution
    self.hugeValueSize = hugeValueSize
    self.batchSize = batchSize
    self.updatesAcrossProcesses = updatesAcrossProcesses
    self.hasAtomicEntries = hasAtomicEntries
    self.timeLimit = timeLimit
    self.damage = damage
    self.open = open
    openAwaited = nil
  }

  /// Describes a store under test that is also called with `await` on its own type.
  ///
  /// - Parameters:
  ///   - name: the name of the store in messages.
  ///   - except: the promises that the store does not make: `.ofPersistence`, for example, for a store in memory.
  ///   - expiryResolution: the number of seconds by which a value may expire too early or too late: 0.001 for a store
  ///     that rounds dates to milliseconds.
  ///   - hugeValueSize: the number of bytes of the largest value that the store must accept, for a store with a lower
  ///     limit than 64 MiB; at least 4096.
  ///   - batchSize: the number of entries of the large batch, for a store that is slow to write each.
  ///   - updatesAcrossProcesses: whether `update` is one operation across processes too.
  ///   - hasAtomicEntries: whether other readers see all of a batch of `setEntries` or nothing.
  ///   - timeLimit: the number of seconds after which the check of a promise ends, and counts as broken.
  ///   - damage: makes the stored entry of a key unreadable, for the check of `damage`: called while no store is open
  ///     at the location. Without it, that promise is not checked.
  ///   - open: opens the store at a location, as in the other initialiser.
  ///   - awaited: calls the store, each function with `await`.
  public init<Store: StorageAware<String, Data>>(
    _ name: String, except: Set<Contract> = [], expiryResolution: Double = 0, hugeValueSize: Int = 64 << 20,
    batchSize: Int = 1200, updatesAcrossProcesses: Bool = false, hasAtomicEntries: Bool = false,
    timeLimit: Double = 600, damage: (@Sendable (Place, _ key: String) async throws -> Void)? = nil,
    open: @escaping @Sendable (Place) async throws -> Store,
    awaited: @escaping @Sendable (Store) -> AwaitedCalls
  ) {
    self.name = name
    self.except = except
    self.expiryResolution = expiryResolution
    self.hugeValueSize = hugeValueSize
    self.batchSize = batchSize
    self.updatesAcrossProcesses = updatesAcrossProcesses
    self.hasAtomicEntries = hasAtomicEntries
    self.timeLimit = timeLimit
    self.damage = damage
    self.open = open
    openAwaited = { place in
      let store = try await open(place)
      return AwaitedStore(base: store, calls: awaited(store))
    }
  }

  /// Returns the same subject with another way to open the store.
  func opened(_ open: @escaping @Sendable (Place) async throws -> any StorageAware<String, Data>) -> Subject {
    var subject = self
    (subject.open, subject.openAwaited) = (open, nil)
    return subject
  }
}

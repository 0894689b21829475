#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store under test: how to open it, and what it does not promise.
///
/// ```swift
/// let subject = Subject("MyStore", except: [.sortedKeys]) { place in
///   try MyStore(path: place.path + "/entries.db", expiry: place.expiry, clock: place.clock)
/// }
/// ```
public struct Subject: Sendable {
  /// A name for people. Of several subjects that one test checks, each needs a name of its own.
  public let name: String
  /// What the store does not promise. The checks of these are skipped.
  public let except: Set<Contract>
  /// By how many seconds a value may expire too early or too late.
  public let expiryResolution: Double
  /// How many bytes the huge value has.
  public let hugeValueSize: Int
  /// How many entries the large batch has.
  public let batchSize: Int
  /// Whether `update` is one operation for other processes too. If so, the check of `.updating` has two processes count
  /// together.
  public let updatesAcrossProcesses: Bool
  let open: @Sendable (Place) async throws -> any StorageAware<String, Data>
  /// Opens the store so that it is called with `await` on its own type.
  let openAwaited: (@Sendable (Place) async throws -> any StorageAware<String, Data>)?

  /// Describes a store under test.
  ///
  /// - Parameters:
  ///   - except: what the store does not promise: `.ofPersistence`, say, for one in memory.
  ///   - expiryResolution: by how many seconds a value may expire too early or too late: 0.001 for a store that rounds
  ///     dates to milliseconds.
  ///   - hugeValueSize: how many bytes the huge value has, for a store with a lower limit than 64 MiB.
  ///   - batchSize: how many entries the large batch has, for a store that takes long for each.
  ///   - updatesAcrossProcesses: whether `update` is one operation for other processes too.
  ///   - open: opens the store at a place. Called several times for one place, it opens the same store again: after the
  ///     last one is gone, beside it, or in another process.
  public init(
    _ name: String, except: Set<Contract> = [], expiryResolution: Double = 0, hugeValueSize: Int = 64 << 20,
    batchSize: Int = 1200, updatesAcrossProcesses: Bool = false,
    open: @escaping @Sendable (Place) async throws -> any StorageAware<String, Data>
  ) {
    self.name = name
    self.except = except
    self.expiryResolution = expiryResolution
    self.hugeValueSize = hugeValueSize
    self.batchSize = batchSize
    self.updatesAcrossProcesses = updatesAcrossProcesses
    self.open = open
    openAwaited = nil
  }

  /// Describes a store under test that is also to be called with `await` on its own type.
  ///
  /// - Parameters:
  ///   - except: what the store does not promise: `.ofPersistence`, say, for one in memory.
  ///   - expiryResolution: by how many seconds a value may expire too early or too late: 0.001 for a store that rounds
  ///     dates to milliseconds.
  ///   - hugeValueSize: how many bytes the huge value has, for a store with a lower limit than 64 MiB.
  ///   - batchSize: how many entries the large batch has, for a store that takes long for each.
  ///   - updatesAcrossProcesses: whether `update` is one operation for other processes too.
  ///   - open: opens the store at a place, as in the other initialiser.
  ///   - awaited: calls the store, each function with `await`.
  public init<Store: StorageAware<String, Data>>(
    _ name: String, except: Set<Contract> = [], expiryResolution: Double = 0, hugeValueSize: Int = 64 << 20,
    batchSize: Int = 1200, updatesAcrossProcesses: Bool = false,
    open: @escaping @Sendable (Place) async throws -> Store,
    awaited: @escaping @Sendable (Store) -> AwaitedCalls
  ) {
    self.name = name
    self.except = except
    self.expiryResolution = expiryResolution
    self.hugeValueSize = hugeValueSize
    self.batchSize = batchSize
    self.updatesAcrossProcesses = updatesAcrossProcesses
    self.open = open
    openAwaited = { place in
      let store = try await open(place)
      return AwaitedStore(base: store, calls: awaited(store))
    }
  }

  /// The same store, opened otherwise.
  func opened(_ open: @escaping @Sendable (Place) async throws -> any StorageAware<String, Data>) -> Subject {
    Subject(
      name, except: except, expiryResolution: expiryResolution, hugeValueSize: hugeValueSize,
      batchSize: batchSize, updatesAcrossProcesses: updatesAcrossProcesses, open: open)
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// The location, the clock and the tiers of a chain under test.
///
/// A chain passes each tier through `front`, `near` or `back`, so that a check can make it fail.
///
/// ```swift
/// @Sendable func typed(_ back: some SyncStorageAware<String, Data>) -> Storage<String, ChainRecord> {
///   Storage(back: back, transformer: .codable(ChainRecord.self))
/// }
/// let subject = ChainSubject("MyStore, typed") { tiers in
///   let back = tiers.back(try MyStore(path: tiers.path))
///   return TestedChain(typed(back))
/// }
/// ```
public struct ChainTiers: Sendable {
  /// A folder for the chain alone. It exists and is empty at first, and is removed after the check.
  public let url: URL
  /// A folder for tiers that belong to one process: another one in a second process.
  public let ownURL: URL
  /// The clock to give to stores that take one.
  public let clock: StorageClock
  let origin: Shared<[String: ChainRecord]>
  /// The state of the tiers that a check can make fail; `nil` where none fails.
  let switches: Switches?
  /// The back of another chain, which this chain uses in place of its own.
  let shared: (any StorageAware<String, Data>)?

  /// The path of the folder, without a slash at its end.
  public var path: String {
    let path = url.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Returns the value of a key at the origin of a loading chain, which is no tier: the loader of the chain calls it.
  public func load(_ key: String) -> ChainRecord? { origin.value[key] }

  /// Returns a store as the first tier of the chain.
  public func front<Value: Sendable>(
    _ store: some SyncStorageAware<String, Value>
  ) -> any SyncStorageAware<String, Value> { tier(store, .front) }

  /// Returns a store as a tier between the first and the last one.
  public func near<Value: Sendable>(
    _ store: some SyncStorageAware<String, Value>
  ) -> any SyncStorageAware<String, Value> { tier(store, .near) }

  /// Returns a store as the last tier of the chain.
  public func back(_ store: some StorageAware<String, Data>) -> any StorageAware<String, Data> {
    let store = shared ?? store
    guard let switches else { return store }
    switches.back.change { $0 = store }
    if let sync = store as? any SyncStorageAware<String, Data> { return tier(sync, .back) }
    return switched(store, switches.state(of: .back))
  }

  /// Returns a store as the last tier of a chain that can be used without `await`.
  public func back(_ store: some SyncStorageAware<String, Data>) -> any SyncStorageAware<String, Data> {
    let any: any StorageAware<String, Data> = store
    guard let store = back(any) as? any SyncStorageAware<String, Data> else {
      preconditionFailure("the back of the same chain was used without `await`, and cannot be now")
    }
    return store
  }

  private func switched(
    _ store: some StorageAware<String, Data>, _ state: TierState
  ) -> any StorageAware<String, Data> { SwitchedTier(base: store, state: state) }

  private func tier<Value: Sendable>(
    _ store: some SyncStorageAware<String, Value>, _ position: TierPosition
  ) -> any SyncStorageAware<String, Value> {
    guard let switches else { return store }
    return SwitchedTier(base: store, state: switches.state(of: position))
  }
}

/// The position of a tier in a chain.
enum TierPosition: String, CaseIterable { case front, near, back }

/// The states of the tiers of one chain.
final class Switches: Sendable {
  private let states = Shared<[TierPosition: TierState]>([:])
  /// The last tier, which works whatever its state.
  let back = Shared<(any StorageAware<String, Data>)?>(nil)

  /// Returns the state of a tier. A tier that has none yet works.
  func state(of position: TierPosition) -> TierState {
    states.change { states in
      let state = states[position] ?? TierState()
      states[position] = state
      return state
    }
  }

  /// The tiers that the chain has.
  var tiers: [(position: TierPosition, state: TierState)] {
    TierPosition.allCases.compactMap { position in states.value[position].map { (position, $0) } }
  }
}

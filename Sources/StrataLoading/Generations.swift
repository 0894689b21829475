#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import Synchronization

/// The generations of tags and of a whole loading store: random numbers that a removal replaces.
///
/// ```swift
/// // Machines that share values in Redis share removals by tag, too. The memory in front makes reads cheap.
/// let generations = Generations(
///   AsyncStorage(
///     front: MemoryStorage<String, TypeWrapper>(), back: try RedisStorage<String>(namespace: "tags"),
///     transformer: .data))
/// let profiles = storage.loading(LoadPolicy(), generations: generations) { request in
///   .value(User(name: request.key), tags: ["team/7"])
/// }
/// ```
///
/// A value carries the generation that each of its tags had before the load, and is valid while these are current.
/// Removing a tag therefore costs one write, however many values have it, and compares no clocks. A lost generation
/// counts as replaced.
///
/// By default generations are kept in memory, and removals by tag affect this process only. Machines that share a store
/// should share its generations: pass a store with an invalidation source and memory in front, as
/// Documentation/Loading.md does with Redis.
public final class Generations: Sendable {
  private struct Table: Sendable {
    var tags: [String: UInt64] = [:]
  }

  private let local = Locked(Table())
  private let shared: (any StorageAware<String, Data>)?
  private let required = Atomic<UInt64>(0)

  /// Creates generations in memory: 8 bytes and the name for each tag in use.
  public init() { shared = nil }

  /// Creates generations in a store: 8 bytes under the name of each tag, and the generation of the whole store under an
  /// empty name.
  public init(_ store: some StorageAware<String, Data>) { shared = store }

  /// The source of the changes that other processes make to the generations; `nil` if there is none.
  private var reports: InvalidationSource<String>? { shared?.invalidationSource }
  /// The source of the removals by this process, where no other one reports them.
  private let ownReports = InvalidationSource<String>()
  /// The names whose generations have been read since their last reported change: values may depend on them. A tag that
  /// another process adds is reported, too, and outdates no value.
  private let inUse = Locked<Set<String>>([])

  private struct Outdated: Error {}

  /// Returns a source that reports that any key may have changed when a generation has been replaced that is in use.
  func invalidations<Key: Hashable & Sendable>(of type: Key.Type) -> InvalidationSource<Key> {
    InvalidationSource(of: [reports ?? ownReports]) { [weak self] name in
      if self?.inUse.withLock({ $0.remove(name) }) != nil { throw Outdated() }
      return nil
    }
  }

  /// Tells all who depend on the generations that this process has replaced one.
  func reportReplacement() async {
    if reports == nil { ownReports.changedAll() }
    await observers.tell()
  }

  /// The observed stores of this process whose values depend on these generations.
  let observers = GenerationObservers()
  /// The recent removals by this process, for loads that overlap one.
  let removals = TagRemovals()
  /// The name of the mark that each removal of any tag replaces.
  private static let removalsName = "strata.removals"

  /// Whether the generations are in memory, and not in a store.
  var isLocal: Bool { shared == nil }

  /// The maximum number of tags in memory. Beyond it all are dropped, and every value with tags counts as removed.
  static let limit = 1 << 20

  /// Returns the generation that every value must have, if it is cached in memory; 0 if none is required.
  var requiredCached: CacheLookup<UInt64> {
    guard shared != nil else { return .found(required.load(ordering: .acquiring)) }
    return cached("")
  }

  /// Returns the generation under a name, if it is cached in memory.
  func cached(_ name: String) -> CacheLookup<UInt64> {
    guard let shared else {
      return local.withLock { $0.tags[name] }.map(CacheLookup.found) ?? .absent
    }
    guard let entry = shared.peek(forKey: name).live(by: shared.clock) else { return .unknown }
    return Self.number(entry.object).map(CacheLookup.found) ?? .absent
  }

  /// Returns the generation under a name; creates one if there is none and `makes` is `true`.
  func generation(_ name: String, makes: Bool) async throws -> UInt64? {
    guard let shared else {
      if name.isEmpty { return required.load(ordering: .acquiring) }
      return local.withLock { Self.tag(name, makes: makes, in: &$0) }
    }
    if let known = try await use(name, in: shared) { return known }
    guard makes else { return nil }
    let new = try await replace(name)
    // Read again: a source reports only changes after a read.
    return reports == nil ? new : try await use(name, in: shared) ?? new
  }

  private func use(_ name: String, in shared: any StorageAware<String, Data>) async throws -> UInt64? {
    guard let known = try await shared.objectIfPresent(forKey: name).flatMap(Self.number) else { return nil }
    if reports != nil { inUse.withLock { _ = $0.insert(name) } }
    return known
  }

  private static func tag(_ name: String, makes: Bool, in table: inout Table) -> UInt64? {
    if let known = table.tags[name] { return known }
    guard makes else { return nil }
    if table.tags.count >= limit { table.tags = [:] }
    let new = newGeneration()
    table.tags[name] = new
    return new
  }

  /// Removes a tag, also from the results of loads in flight.
  func remove(_ tag: Tag) async throws {
    removals.add(tag)
    // First: whoever reads the tag's new generation then reads the new mark.
    if shared != nil { try await replace(Self.removalsName) }
    try await replace(tag.name)
    // Recorded a second time: a load that began in between has read the old generation.
    removals.add(tag)
  }

  /// Returns the mark of the last removal by any machine; `nil` if generations are not shared. An outdated mark in
  /// memory is safe: it differs from the current one.
  func sharedRemovals() async throws -> UInt64? {
    guard shared != nil else { return nil }
    if case .found(let mark) = cached(Self.removalsName) { return mark }
    return try await generation(Self.removalsName, makes: true)
  }

  /// Returns whether any machine has removed a tag since a mark. Reads past the memory in front.
  func hasRemovals(since mark: UInt64?) async throws -> Bool {
    guard let shared else { return false }
    guard let mark else { return true }
    // A store without inner stores is its own truth: a memory would lose the mark.
    if !shared.wrappedStorages.isEmpty { try await shared.removeInMemoryObject(forKey: Self.removalsName) }
    return try await generation(Self.removalsName, makes: false) != mark
  }

  /// Replaces the generation under a name: values with the old one become invalid.
  @discardableResult
  func replace(_ name: String) async throws -> UInt64 {
    let new = Self.newGeneration()
    if let shared {
      try await shared.setObject(Self.bytes(new), forKey: name, expiry: .never)
    } else if name.isEmpty {
      required.store(new, ordering: .releasing)
    } else {
      local.withLock { $0.tags[name] = new }
    }
    return new
  }

  private static func newGeneration() -> UInt64 { .random(in: 1 ... .max) }

  private static func bytes(_ number: UInt64) -> Data {
    Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  private static func number(_ bytes: Data) -> UInt64? {
    guard bytes.count == 8 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// A tier of a chain that counts and reports its operations.
///
/// A store that is itself a chain is passed on as it is: its own tiers report.
@usableFromInline
package struct ReportedTier<Base: StorageAware>: StorageLink {
  @usableFromInline package typealias Key = Base.Key
  @usableFromInline package typealias Value = Base.Value
  /// A reporter that is used without being retained: all operations would write its reference count, in one cache line.
  @usableFromInline typealias Reporter = Unmanaged<TierReporter<Key>>

  @usableFromInline package let base: Base
  /// The reporter; `nil` if the tiers of the base report.
  @usableFromInline package let reporter: TierReporter<Key>?

  @usableFromInline
  package init(_ base: Base) {
    self.base = base
    reporter = base.soleTier.map { leaf in
      switch leaf.traits.reporter {
      case let own as TierReporter<Key>: own
      case let own?: TierReporter(mapping: own)
      case nil:
        TierReporter(
          leaf.tierName, timing: !(base is any SyncStorageAware) ? .all : base.mayBlock ? .samples : .none)
      }
    }
  }

  /// The tiers of the base, or the base as the one tier.
  @usableFromInline
  package var tiers: [StorageTier] {
    guard let reporter, let leaf = base.soleTier else { return base.tiers }
    return [StorageTier(store: leaf, reporter: reporter)]
  }

  @usableFromInline
  package var traits: StoreTraits {
    var traits = base.traits
    traits.visible = traits.visible ?? base
    return traits
  }
  @usableFromInline
  package var wrappedStorages: [any StorageDesign] { [base] }
  @inlinable
  package var clock: StorageClock { base.clock }
  @inlinable
  package var mayBlock: Bool { base.mayBlock }

  /// Returns the result of `body` for the cached entry of a key. It is not reported.
  @inlinable
  @inline(__always)
  package func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    base._withCachedObject(forKey: key, body)
  }

  /// Reports a hit that was found by `peek`.
  @inlinable
  @inline(__always)
  func noteHit(_ key: Key) { active?._withUnsafeGuaranteedRef { $0.hit(key) } }

  /// The reporter, if there is something to count or to tell.
  @inlinable
  @inline(__always)
  var active: Reporter? {
    guard let reporter else { return nil }
    let unretained = Unmanaged.passUnretained(reporter)
    return unretained._withUnsafeGuaranteedRef(\.isActive) ? unretained : nil
  }
}

extension ReportedTier: ConditionalStorage where Base: ConditionalStorage {}

extension ReportedTier: SyncConditionalStorage where Base: SyncConditionalStorage {}

extension ReportedTier {
  /// Runs an operation inside a span, if the tier is remote and has a tracer.
  func traced<R: Sendable>(
    _ name: String, _ count: Int = 1, _ body: () async throws -> R
  ) async throws -> R {
    guard let reporter, reporter.timing == .all else { return try await body() }
    return try await reporter.tracers.trace(
      StorageOperation(name, tier: reporter.name, count: count), body)
  }
}

extension ReportedTier where Base: UpdateableStorage {
  /// Reports an update that has thrown: a read, if the caller's closure has refused the value, or there was none.
  @usableFromInline
  func noteFailedUpdate(
    of key: Key, isRefused: Bool, _ error: any Error, _ start: Stopwatch, _ reporter: Reporter
  ) {
    if isRefused {
      reporter.didRead(key, isHit: true, start)
    } else if case StorageError.notFound = error {
      reporter.didRead(key, isHit: false, start)
    } else {
      reporter.didFail(key, error, start)
    }
  }

  /// Updates a value inside a span, if the tier is remote and has a tracer.
  func updatingTraced(_ key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    try await traced("update") { try await base.update(forKey: key, modify) }
  }
}

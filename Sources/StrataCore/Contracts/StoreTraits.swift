/// What a store says about itself, for the stores above it.
///
/// ```swift
/// // A property of a store: a value that is stored without an expiry expires after a minute.
/// var traits: StoreTraits { StoreTraits(ownExpiry: .seconds(60)) }
/// ```
public struct StoreTraits: Sendable {
  /// The expiry of values that are stored without one. `nil` stands for that of the inner stores; without inner stores,
  /// for `.never`.
  public var ownExpiry: Expiry?
  /// Whether the store is a memory: `peek` finds every entry that it holds.
  public var isMemory: Bool
  /// Whether the store implements `stream` and `stage`, so that a value that is streamed is never in memory as a whole.
  public var keepsParts = false

  /// Whether operations with `await` may suspend; `nil` if the type and the inner stores tell.
  package var suspends: Bool?
  /// Whether the store can remove entries. Without removals a front cannot stay coherent with a back that reports
  /// changes.
  package var canRemove = true
  /// Whether the store is only read, as the back of an authoritative front.
  package var isUnwritten = false
  /// Whether the store keeps only the value and the dates of an entry.
  package var keepsDatesOnly = false
  /// What the store itself reports of its work, such as evictions; `nil` for a store that reports nothing.
  package var reporter: (any AnyTierReporter)?
  /// The tiers of a chain, which report their operations. Empty for a store that is no chain.
  package var tiers: [StorageTier] = []
  /// The store that users see in place of this internal adapter.
  package var visible: (any StorageDesign)?
  /// The inner store to which `peek` only forwards.
  package var peeked: (any StorageDesign)?
  /// The flag that is set while an entry of `peeked` may be suspect, or `nil` if none ever is. While it is set, entries
  /// may only be served through `peek`. The store keeps it alive.
  package var suspectFlag: Unmanaged<SuspectFlag>?

  /// Creates traits; without arguments those of a store that tells nothing.
  public init(ownExpiry: Expiry? = nil, isMemory: Bool = false) {
    self.ownExpiry = ownExpiry
    self.isMemory = isMemory
  }

  package init(suspends: Bool) {
    self.init()
    self.suspends = suspends
  }

  /// Creates the traits of a store that reports what it does by itself.
  package init(ownExpiry: Expiry?, isMemory: Bool = false, reporter: any AnyTierReporter) {
    self.init(ownExpiry: ownExpiry, isMemory: isMemory)
    self.reporter = reporter
  }

  /// Creates the traits of a chain of tiers.
  package init(tiers: [StorageTier]) {
    self.init()
    self.tiers = tiers
  }

  /// The traits of a store that can be used without `await`, but whose functions with `await` may suspend.
  package static let suspending = StoreTraits(suspends: true)

  /// The traits of a chain of tiers that can be used without `await`, but whose functions with `await` may suspend.
  package static func suspending(over tiers: [StorageTier]) -> StoreTraits {
    var traits = suspending
    traits.tiers = tiers
    return traits
  }

  /// Creates the traits of an internal adapter.
  package init(showing visible: any StorageDesign) {
    self.init()
    self.visible = visible
  }
}

extension StorageDesign {
  /// The earliest expiry that a value stored without one gets in any inner store. A store that says nothing keeps a
  /// value as it was given.
  package var earliestOwnExpiry: Expiry {
    if let own = traits.ownExpiry { return own }
    return wrappedStorages.reduce(.never) { .earlier($0, $1.earliestOwnExpiry) }
  }
}

extension StorageDesign {
  /// Whether a value that is streamed to this store is never in memory as a whole.
  package var keepsParts: Bool {
    traits.keepsParts || self is any StreamLink && wrappedStorages.last?.keepsParts == true
  }
}

/// A link that passes streams on to its last inner store.
package protocol StreamLink: StorageDesign {}

/// Returns the store that is shown to users, without the internal adapter around it.
package func shown(_ storage: any StorageDesign) -> any StorageDesign { storage.traits.visible ?? storage }

extension StorageDesign {
  /// The tiers of this chain, nearest to the user first. A store that is neither part of a chain nor reports anything
  /// itself has none.
  package var tiers: [StorageTier] {
    let traits = traits
    if !traits.tiers.isEmpty { return traits.tiers }
    if let reporter = traits.reporter { return [StorageTier(store: self, reporter: reporter)] }
    return wrappedStorages.flatMap(\.tiers)
  }

  /// The store that this store is, without links around it; `nil` if it is a chain of tiers.
  var soleTier: (any StorageDesign)? {
    let traits = traits
    if !traits.tiers.isEmpty { return nil }
    let inner = wrappedStorages
    if traits.reporter != nil || inner.isEmpty { return self }
    if inner.count == 1 { return inner[0].soleTier }
    return inner.allSatisfy { $0.soleTier != nil } ? self : nil
  }

  /// The name of this store as a tier: "memory" for a `MemoryStorage`.
  var tierName: String {
    let name = storageName
    return (name.hasSuffix("Storage") && name.count > 7 ? String(name.dropLast(7)) : name).lowercased()
  }
}

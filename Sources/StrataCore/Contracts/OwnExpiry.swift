/// A store that can return the expiry of values that are stored without one.
package protocol OwnExpiry: StorageDesign {
  /// The expiry of values that are stored without one.
  var ownExpiry: Expiry { get }
}

extension StorageDesign {
  /// The earliest expiry that a value stored without one gets in any inner store; `nil` if an inner store cannot return
  /// it, as a user's own store.
  package var earliestOwnExpiry: Expiry? {
    if let store = self as? any OwnExpiry { return store.ownExpiry }
    var earliest: Expiry?
    for store in wrappedStorages {
      guard let own = store.earliestOwnExpiry else { return nil }
      earliest = earliest.map { .earlier($0, own) } ?? own
    }
    return earliest
  }
}

extension Expiry {
  /// How long a value is cached if nothing shows how long it is valid.
  package static let whileUnknown = Expiry.seconds(1)
}

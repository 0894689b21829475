/// A description of how a store is built.
///
/// ```swift
/// print(users.storageHierarchy())
/// let disk = users.reach(toFirst: DiskStorage<String>.self)   // The disk at the chain's end.
/// ```
public protocol StorageDesign: Sendable {
  /// A name for display. By default the name of the type, without its generic parameters.
  var storageName: String { get }
  /// The inner stores that this store uses, nearest to the user first. By default none.
  var wrappedStorages: [any StorageDesign] { get }
  /// What this store says about itself. By default nothing.
  var traits: StoreTraits { get }
  /// Whether the values are confidential, because they are encrypted or kept with secrets. By default whether any inner
  /// store is confidential. Errors of a confidential store contain no part of a value.
  var isConfidential: Bool { get }
}

extension StorageDesign {
  /// The name of the type, without its generic parameters.
  public var storageName: String {
    let name = String(describing: Self.self)
    return String(name.prefix { $0 != "<" })
  }

  /// No stores.
  public var wrappedStorages: [any StorageDesign] { [] }

  /// No traits.
  public var traits: StoreTraits { StoreTraits() }

  /// Whether the values of any inner store are confidential.
  public var isConfidential: Bool { wrappedStorages.contains { $0.isConfidential } }
}

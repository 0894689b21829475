/// What a store can tell about how it is built.
public protocol StorageDesign: Sendable {
  /// A name for people; by default the name of the type, without its generic parameters.
  var storageName: String { get }
  /// The stores that this one stands on, nearest to the user first; by default none.
  var wrappedStorages: [any StorageDesign] { get }
  /// Whether values are confidential, because they are encrypted or kept with secrets; by default whether those of any
  /// store below are. Errors then tell nothing of a value.
  var isConfidential: Bool { get }
}

extension StorageDesign {
  /// The name of the type, without its generic parameters.
  public var storageName: String {
    let name = String(describing: Self.self)
    return String(name.prefix { $0 != "<" })
  }

  /// None.
  public var wrappedStorages: [any StorageDesign] { [] }

  /// Whether the values of any store below are confidential.
  public var isConfidential: Bool { wrappedStorages.contains { $0.isConfidential } }
}

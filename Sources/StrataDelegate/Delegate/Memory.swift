import StrataAlgebra

/// A store of one item in memory, which is lost when the program ends.
///
/// ```swift
/// let user = Memory<User>()
/// await user.save(item: ada)
/// let name = await user.get()?.name
/// ```
public actor Memory<Item: Codable & Sendable>: ItemStorage {
  private var item: Item?

  /// Creates an empty store.
  public init() {}

  /// Stores an item, replacing any previous one.
  public func save(item: Item) { self.item = item }

  /// Returns the item, or `nil` if there is none.
  public func get() -> Item? { item }

  /// Removes the item.
  public func delete() { item = nil }
}

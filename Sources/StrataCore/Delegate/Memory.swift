/// One item in memory, gone when the program ends.
public actor Memory<Item: Codable & Sendable>: ItemStorage {
  private var item: Item?

  /// Holds nothing at first.
  public init() {}

  /// Holds an item in place of what was there.
  public func save(item: Item) { self.item = item }

  /// The item, if there is one.
  public func get() -> Item? { item }

  /// Lets go of the item.
  public func delete() { item = nil }
}

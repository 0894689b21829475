public import StrataCore

extension StorageDesign {
  /// Returns the first store of a type among this store and its inner stores, depth first: of two tiers, the front
  /// comes before the back.
  ///
  /// ```swift
  /// let disk = users.reach(toFirst: DiskStorage<String>.self)
  /// ```
  public func reach<S: StorageDesign>(toFirst type: S.Type) -> S? {
    reachToFirst(whereNotNil: { $0 as? S })
  }

  /// Returns the first store that meets a condition, among this store and its inner stores.
  ///
  /// ```swift
  /// let slow = users.reachToFirst { ($0 as? any StorageAware)?.mayBlock == true }
  /// ```
  public func reachToFirst(
    where condition: (any StorageDesign) throws -> Bool
  ) rethrows -> (any StorageDesign)? {
    try reachToFirst(whereNotNil: { try condition($0) ? $0 : nil })
  }

  /// Returns the first result of `transform` that is not `nil`, for this store and its inner stores.
  public func reachToFirst<R>(whereNotNil transform: (any StorageDesign) throws -> R?) rethrows -> R? {
    if let found = try transform(self) { return found }
    for part in wrappedStorages {
      if let found = try part.reachToFirst(whereNotNil: transform) { return found }
    }
    return nil
  }
}

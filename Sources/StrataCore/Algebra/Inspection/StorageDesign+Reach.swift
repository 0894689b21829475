extension StorageDesign {
  /// The first link of a type, this one included: depth first, so the front of two tiers before the back.
  ///
  /// ```swift
  /// let disk = users.reach(toFirst: DiskStorage<String>.self)
  /// ```
  public func reach<S: StorageDesign>(toFirst type: S.Type) -> S? {
    reachToFirst(whereNotNil: { $0 as? S })
  }

  /// The first link that meets a condition, this one included.
  public func reachToFirst(
    where condition: (any StorageDesign) throws -> Bool
  ) rethrows -> (any StorageDesign)? {
    try reachToFirst(whereNotNil: { try condition($0) ? $0 : nil })
  }

  /// What a function makes of the first link of which it makes anything, this one included.
  public func reachToFirst<R>(whereNotNil transform: (any StorageDesign) throws -> R?) rethrows -> R? {
    if let found = try transform(self) { return found }
    for part in wrappedStorages {
      if let found = try part.reachToFirst(whereNotNil: transform) { return found }
    }
    return nil
  }
}

extension ReadableStorage where Self: WritableStorage {
  /// This store with its operations in one line: one at a time, first come first served.
  ///
  /// What is done to the store by another way, also through another `serial()` of it, is not in the line: make one
  /// and share it. It is what `update` needs:
  ///
  /// ```swift
  /// let users = storage.serial()
  /// try await users.update(forKey: "123") { $0.isActive = true }
  /// ```
  public func serial() -> PlainSerialStorage<Self> { PlainSerialStorage(self) }
}

extension StorageAware {
  /// This store with its operations in one line: one at a time, first come first served.
  ///
  /// What is done to the store by another way, also through another `serial()` of it, is not in the line: make one
  /// and share it. It is what `update` needs:
  ///
  /// ```swift
  /// let users = storage.serial()
  /// try await users.update(forKey: "123") { $0.isActive = true }
  /// ```
  public func serial() -> SerialStorage<Self> { SerialStorage(self) }
}

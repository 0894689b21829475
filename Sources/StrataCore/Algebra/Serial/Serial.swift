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

extension ReadableStorage {
  /// Returns this store with its reads in one line: one at a time, first come first served.
  ///
  /// Reads through another `serial()`, and writes to the store that this is a half of, are not in the line: to have
  /// these in it, make the store serial before it is halved.
  public func serial() -> SerialReadOnlyStorage<Self> { SerialReadOnlyStorage(self) }
}

extension WritableStorage {
  /// Returns this store with its writes in one line: one at a time, first come first served.
  ///
  /// Writes through another `serial()`, and reads of the store that this is a half of, are not in the line: to have
  /// these in it, make the store serial before it is halved.
  public func serial() -> SerialWriteOnlyStorage<Self> { SerialWriteOnlyStorage(self) }
}

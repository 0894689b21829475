public import StrataCore

extension ReadableStorage where Self: WritableStorage {
  /// Returns this store with operations that run one at a time, in the order in which they were called.
  ///
  /// Only operations through the result are ordered, not direct operations, and not operations through another
  /// `serial()`: create one and share it. It adds `update`:
  ///
  /// ```swift
  /// let users = storage.serial()
  /// try await users.update(forKey: "123") { $0.isActive = true }
  /// ```
  public func serial() -> PlainSerialStorage<Self> { PlainSerialStorage(self) }
}

extension StorageAware {
  /// Returns this store with operations that run one at a time, in the order in which they were called.
  ///
  /// Only operations through the result are ordered, not direct operations, and not operations through another
  /// `serial()`: create one and share it. It adds `update`:
  ///
  /// ```swift
  /// let users = storage.serial()
  /// try await users.update(forKey: "123") { $0.isActive = true }
  /// ```
  public func serial() -> SerialStorage<Self> { SerialStorage(self) }
}

extension ReadableStorage {
  /// Returns this store with reads that run one at a time, in the order in which they were called.
  ///
  /// Reads through another `serial()`, and writes of the same store, are not ordered with them. To order these too,
  /// make the store serial before you take its half.
  public func serial() -> SerialReadOnlyStorage<Self> { SerialReadOnlyStorage(self) }
}

extension WritableStorage {
  /// Returns this store with writes that run one at a time, in the order in which they were called.
  ///
  /// Writes through another `serial()`, and reads of the same store, are not ordered with them. To order these too,
  /// make the store serial before you take its half.
  public func serial() -> SerialWriteOnlyStorage<Self> { SerialWriteOnlyStorage(self) }
}

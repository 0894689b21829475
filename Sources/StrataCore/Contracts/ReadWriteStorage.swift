/// A store whose values can be read and written.
///
/// Every `StorageAware` conforms to it, and so do the stores that combinators create from a readable and a writable
/// half. A store of your own that cannot list, remove or expire needs only two functions:
///
/// ```swift
/// actor Settings: ReadWriteStorage {
///   private var values: [String: Int] = [:]
///   func retrieve(forKey key: String) async throws -> Int {
///     guard let value = values[key] else { throw StorageError.notFound }
///     return value
///   }
///   func set(_ value: Int, forKey key: String) async throws { values[key] = value }
/// }
/// ```
public protocol ReadWriteStorage<Key, Value>: ReadableStorage, WritableStorage {}

/// A store that values can be read from and written to.
///
/// Every `StorageAware` is one, and so is what the combinators make of two halves. A store of your own that does
/// not list, remove or expire conforms to it with two functions:
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

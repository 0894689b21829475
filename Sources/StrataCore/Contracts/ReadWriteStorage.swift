/// A store that values can be read from and written to.
///
/// Every `StorageAware` is one, and so is what the combinators make of two halves. A store of your own that does
/// not list, remove or expire conforms to it with two functions:
///
/// ```swift
/// struct Settings: ReadWriteStorage {
///   let numbers = MemoryStorage<String, Int>()
///   func retrieve(forKey key: String) async throws -> Int { try await numbers.object(forKey: key) }
///   func set(_ value: Int, forKey key: String) async throws { try await numbers.setObject(value, forKey: key) }
/// }
/// ```
public protocol ReadWriteStorage<Key, Value>: ReadableStorage, WritableStorage {}

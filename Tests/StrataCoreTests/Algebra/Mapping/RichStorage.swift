import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// A store with everything cached and its entries in files. It records batch calls and removals from memory.
final class RichStorage<Value: Sendable>: TellingStorage {
  let base: DictionaryStorage<String, Value>
  let batches = Shared<[String]>([])

  init(_ base: DictionaryStorage<String, Value> = DictionaryStorage()) { self.base = base }

  private func inFile(_ entry: Entry<Value>, _ key: String) -> Entry<Value> {
    Entry(object: entry.object, expiry: entry.expiry, filePath: "/" + key)
  }

  var clock: StorageClock { base.clock }
  let mayBlock = false

  func peek(forKey key: String) -> Entry<Value>? { base.objects[key].map { inFile(Entry(object: $0), key) } }
  func entryIfPresent(forKey key: String) throws -> Entry<Value>? {
    try base.entryIfPresent(forKey: key).map { inFile($0, key) }
  }
  func setObject(_ object: Value, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
  func removeInMemoryObject(forKey key: String) { batches.change { $0.append("forget \(key)") } }
  func entries(forKeys keys: [String]) throws -> [String: Entry<Value>] {
    batches.change { $0.append("read \(keys.sorted())") }
    var found: [String: Entry<Value>] = [:]
    for key in keys { found[key] = try entryIfPresent(forKey: key) }
    return found
  }
  func setObjects(_ objects: [String: Value], expiry: Expiry?) throws {
    batches.change { $0.append("write \(objects.keys.sorted())") }
    for (key, object) in objects { try setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObjects(forKeys keys: [String]) throws {
    batches.change { $0.append("remove \(keys.sorted())") }
    for key in keys { try removeObject(forKey: key) }
  }
}

import Foundation

/// One file per entry, as JSON, written and read by Foundation: the solution without a library.
struct PlainFiles<Value: Weighable & Codable>: Cache {
  let folder: URL

  func value(forKey key: String) throws -> Value? {
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: folder.appending(path: key)))
  }

  func store(_ value: Value, forKey key: String) throws {
    try JSONEncoder().encode(value).write(to: folder.appending(path: key), options: .atomic)
  }
}

import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofDamage = [
    Fault(
      .damage, "entryIfPresent says that a damaged entry is absent",
      Checked.subject("takes damage for absence") { _ in nil }),
    Fault(
      .damage, "entryIfPresent gives 7 bytes",
      Checked.subject("returns what is damaged") { Entry(object: $0) }),
    Fault(
      .damage, "entryIfPresent gives 0 bytes",
      Checked.subject("takes damage for an empty value") { _ in Entry(object: Data()) }),
    Fault(
      .damage, "entries(forKeys:) says that a damaged entry is absent",
      Checked.subject("leaves damage out of batches") { store in
        store.readMany = { [read = store.read] keys in
          var found: [String: Entry<Data>] = [:]
          for key in keys { do { found[key] = try await read(key) } catch {} }
          return found
        }
      }),
    Fault(
      .damage, "objectExists says that a damaged entry is absent",
      Checked.subject("has no expiry of what is damaged") { store in
        store.readExpiry = { [read = store.read] key in
          do { return try await read(key)?.expiry } catch { return nil }
        }
      }),
    Fault(
      .damage, "it threw malformedFileAttributes",
      Checked.subject("cannot replace what is damaged") { store in
        store.write = { [write = store.write, read = store.read] value, key, expiry in
          _ = try await read(key)
          try await write(value, key, expiry)
        }
      }),
  ]
}

/// A correct store whose values begin with a mark, so that it detects damage.
enum Checked {
  private static let mark = Data([0x53])

  /// Describes a store, which may be faulty.
  static func subject(_ name: String, _ bend: @escaping @Sendable (inout Bent) -> Void) -> Subject {
    Subject(name, damage: { try Reference(at: $0).setObject(Data("damaged".utf8), forKey: $1, expiry: nil) })
    {
      var store = store(at: $0) { _ in throw StorageError.malformedFileAttributes }
      bend(&store)
      return store
    }
  }

  /// Describes a store that returns something for a damaged entry instead of throwing.
  static func subject(_ name: String, _ found: @escaping @Sendable (Data) -> Entry<Data>?) -> Subject {
    Subject(name, damage: { try Reference(at: $0).setObject(Data("damaged".utf8), forKey: $1, expiry: nil) })
    {
      store(at: $0, found)
    }
  }

  private static func store(
    at place: Place, _ damaged: @escaping @Sendable (Data) throws -> Entry<Data>?
  ) -> Bent {
    let base = Reference(at: place)
    var store = Bent(base)
    let read: @Sendable (String) async throws -> Entry<Data>? = { key in
      guard let entry = try base.entryIfPresent(forKey: key) else { return nil }
      if !entry.object.starts(with: mark) { return try damaged(entry.object) }
      return Entry(object: Data(entry.object.dropFirst()), expiry: entry.expiry)
    }
    store.read = read
    store.readExpiry = { try await read($0)?.expiry }
    store.readMany = { keys in
      var found: [String: Entry<Data>] = [:]
      for key in keys { found[key] = try await read(key) }
      return found
    }
    store.write = { value, key, expiry in try base.setObject(mark + value, forKey: key, expiry: expiry) }
    return store
  }
}

import Foundation
import Strata
import StrataSQLite
import StrataSodium
import TestSupport
import Testing

/// Repeated rotations, each of which removes the older keys, with eight concurrent writers: no acknowledged write is
/// lost.
@Suite(.endsInTime) struct RotationSoakTests {
  private static let rotations = Soak.rounds(40, soak: 10_000)
  private static let writers = 8
  private static let keys = 4

  @Test func overMemory() async throws {
    try await rotate(MemoryStorage<String, Data>()) { try $0.update(forKey: $1, $2) }
  }

  @Test func overFiles() async throws {
    let config = DiskConfig(name: "store", directory: TemporaryFolder().url)
    try await rotate(DiskStorage<String>(config: config), update: nil)
  }

  @Test func overATable() async throws {
    let config = SQLiteConfig(path: TemporaryFolder().url.path + "/store.db")
    try await rotate(SQLiteStorage<String>(config: config)) { try $0.update(forKey: $1, $2) }
  }

  private typealias Update<Base: SyncStorageAware> =
    @Sendable (
      EncryptedStorage<Base>, _ key: String, _ modify: (inout Data) throws -> Void
    ) throws -> Data where Base.Key == String, Base.Value == Data

  private func rotate<Base: SyncStorageAware>(_ base: Base, update: Update<Base>?) async throws
  where Base.Key == String, Base.Value == Data {
    let ring = KeyRing(try SecretKey())
    let store = base.encrypted(with: ring)
    let isRotating = Shared(true)
    let acknowledged = try await withThrowingTaskGroup(of: [String: Data].self) { group in
      for writer in 0..<Self.writers {
        group.addTask {
          try await onThread {
            try Self.write(store, writer: writer, update: update, while: { isRotating.value })
          }
        }
      }
      group.addTask {
        try await onThread {
          defer { isRotating.change { $0 = false } }
          for _ in 0..<Self.rotations {
            ring.rotate(adding: try SecretKey())
            try store.reencrypt()
            ring.removeOlder()
          }
          return [:]
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
    try await onThread {
      let count = try store.keys().count
      #expect(count == acknowledged.count)
      for (key, value) in acknowledged {
        let read = try store.object(forKey: key)
        #expect(read == value, "\(key)")
      }
    }
  }

  /// Writes keys that no other writer uses, by every method, and reads each back. Returns the last acknowledged values.
  private static func write<Base: SyncStorageAware>(
    _ store: EncryptedStorage<Base>, writer: Int, update: Update<Base>?, while isRotating: () -> Bool
  ) throws -> [String: Data] where Base.Key == String, Base.Value == Data {
    var generator = SeededGenerator(seed: Soak.seed &+ UInt64(writer))
    var stored: [String: Data] = [:]
    var number: UInt32 = 0
    while isRotating() || number < 20 {
      number += 1
      let key = "\(writer) \(Int.random(in: 0..<keys, using: &generator))"
      let value = withUnsafeBytes(of: number) { Data($0) }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        try store.removeObject(forKey: key)
        stored[key] = nil
        continue
      case 1...2:
        let both = [key: value, "\(writer) other": value]
        try store.setObjects(both, expiry: nil)
        stored.merge(both) { _, new in new }
      case 3...4 where stored[key] != nil && update != nil:
        _ = try update?(store, key) { $0 = value }
        stored[key] = value
      default:
        try store.setObject(value, forKey: key, expiry: nil)
        stored[key] = value
      }
      for (key, value) in stored {
        guard try store.objectIfPresent(forKey: key) == value else {
          throw LostWrite(key: key, seed: Soak.seed)
        }
      }
      // More writers than processors that never wait would leave the rotation few turns.
      sched_yield()
    }
    return stored
  }

  private struct LostWrite: Error {
    let key: String
    let seed: UInt64
  }
}

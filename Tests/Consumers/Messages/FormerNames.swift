import Foundation
import Strata

// Names of Cache and AsyncStorages that differ in Strata. Each compiles. The text after `says:` is part of the
// compiler's warning for the line, as Tests/Scripts/names.sh checks.

func ofCache(_ store: Storage<String, Int>, bytes: DiskStorage<String>) throws {
  _ = try store.existsObject(forKey: "a")  // says: use 'objectExists(forKey:)' instead
  _ = store.transform(transformer: .codable(String.self))  // says: use 'transform(to:)' instead
  try store.removeObjectIfExpired(forKey: "a")  // says: use 'removeExpiredObjects()' instead
  _ = Date().inThePast  // says: use 'Expiry.isExpired' instead
  let memory = MemoryStorage<String, TypeWrapper>()
  let tiers = HybridStorage(memoryStorage: memory, diskStorage: bytes)  // says: 'init(front:back:)'
  _ = tiers.memoryStorage  // says: use 'front' instead
  _ = tiers.diskStorage  // says: use 'back' instead
  let typed = TypeWrapperStorage(tiers, transformer: .codable(Int.self))
  _ = typed.transform(transformer: .codable(String.self))  // says: use 'transform(to:)' instead
  _ = bytes.transform(transformer: .codable(Int.self))  // says: use 'transform(to:)' instead
  store.async.existsObject(forKey: "a") { _ in }  // says: use 'objectExists(forKey:completion:)' instead
  _ = store.async.transform(transformer: .codable(String.self))  // says: use 'transform(to:)' instead
  _ =
    try Storage<String, Data>(  // says: use 'init(diskConfig:memoryConfig:transformer:)' instead
      diskConfig: DiskConfig(name: "a"), memoryConfig: MemoryConfig(), fileManager: .default,
      transformer: .data)
}

func ofCache(_ store: AsyncStorage<String, Int>) async throws {
  _ = try await store.existsObject(forKey: "a")  // says: use 'objectExists(forKey:)' instead
  try await store.removeObjectIfExpired(forKey: "a")  // says: use 'removeExpiredObjects()' instead
}

struct OfAsyncStorages: StorageWrapper {}  // says: use 'StorageDesign' instead

func ofAsyncStorages(_ store: MemoryStorage<String, Int>) {
  _ = store._storageHierarchy()  // says: use 'storageHierarchy()' instead
  _ = store._wrappedStorages  // says: use 'wrappedStorages' instead
  _ = store._reach(toFirst: MemoryStorage<String, Int>.self)  // says: use 'reach(toFirst:)' instead
  _ = store._reachToFirst { _ in true }  // says: use 'reachToFirst(where:)' instead
  _ = store._reachToFirst(whereNotNil: { $0.storageName })  // says: use 'reachToFirst(whereNotNil:)' instead
  _ = store.writeOnly().mapKeys(from: Int.self) { "\($0)" }  // says: use 'mapKeys(to:_:)' instead
  _ = store.writeOnly().mapValues(from: String.self) { Int($0) ?? 0 }  // says: use 'mapValues(to:_:)' instead
}

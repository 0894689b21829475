import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import Testing

/// A subclass as users of the library write it: this file imports only the public interface.
private final class LoggedStorage: StorageDelegate<String>, @unchecked Sendable {
  let log = Memory<[String]>()

  override func save(item: String) async throws {
    try await note("save \(item)")
    try await super.save(item: item)
  }

  override func get() async throws -> String? {
    try await note("get")
    return try await super.get()
  }

  override func delete() async throws {
    try await note("delete")
    try await super.delete()
  }

  private func note(_ line: String) async throws { await log.save(item: (log.get() ?? []) + [line]) }
}

/// A subclass with a store of its own.
private final class TokenStorage: StorageDelegate<String>, @unchecked Sendable {
  init() { super.init(delegate: Memory<String>(), cacheStrategy: .CACHE) }
}

@Suite("StorageDelegate: subclasses outside the module")
struct StorageDelegateSubclassTests {
  @Test("a subclass can override operations and call super")
  func overriding() async throws {
    let memory = Memory<String>()
    let storage = LoggedStorage(delegate: memory, cacheStrategy: .CACHE_ON_FAILURE)
    let plain: StorageDelegate<String> = storage
    try await plain.save(item: "a")
    #expect(await memory.get() == "a")
    #expect(try await plain.get() == "a")
    try await plain.delete()
    #expect(try await plain.get() == nil)
    #expect(await storage.log.get() == ["save a", "get", "delete", "get"])
  }

  @Test("a subclass can have its own store")
  func ownStore() async throws {
    let storage = TokenStorage()
    try await storage.save(item: "t")
    #expect(try await storage.get() == "t")
  }
}

import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("ItemStorage and related types")
struct ItemStorageTests {
  @Test("one key of a chain can be used as a store of one item")
  func keyed() async throws {
    let time = ManualClock()
    let store = DictionaryStorage<String, Int>(["other": 9], clock: time.clock)
    let item = store.item(forKey: "item")
    #expect(try await item.get() == nil)
    try await item.save(item: 1)
    #expect(try await item.get() == 1)
    #expect(store.objects == ["item": 1, "other": 9])
    try await item.delete()
    try await item.delete()
    #expect(try await item.get() == nil)
    #expect(store.objects == ["other": 9])
  }

  @Test("an expired item is absent")
  func expired() async throws {
    let time = ManualClock()
    let store = DictionaryStorage<String, Int>(clock: time.clock)
    try await store.setObject(1, forKey: "item", expiry: .seconds(10))
    #expect(try await store.item(forKey: "item").get() == 1)
    time.advance(by: 10)
    #expect(try await store.item(forKey: "item").get() == nil)
  }

  @Test("errors of the inner store are thrown")
  func failures() async throws {
    let store = DictionaryStorage<String, Int>()
    store.fail(.read, .write, .remove, with: Failure.second)
    let item = store.item(forKey: "item")
    await #expect(throws: Failure.second) { try await item.get() }
    await #expect(throws: Failure.second) { try await item.save(item: 1) }
    await #expect(throws: Failure.second) { try await item.delete() }
  }

  @Test("memory holds one item")
  func memory() async {
    let memory = Memory<Int>()
    #expect(await memory.get() == nil)
    await memory.save(item: 1)
    await memory.save(item: 2)
    #expect(await memory.get() == 2)
    await memory.delete()
    await memory.delete()
    #expect(await memory.get() == nil)
  }

  @Test("the encryptor without encryption leaves bytes unchanged")
  func noEncryptor() async throws {
    let encryptor: any Encryptor = NoEncryptor()
    let secret = Data("secret".utf8)
    #expect(try await encryptor.encrypt(data: secret) == secret)
    #expect(try await encryptor.decrypt(data: secret) == secret)
  }

  @Test("each error has its own message")
  func messages() {
    let keychain: [KeychainError] = [.unableToSave, .unableToRetrieve, .unableToDelete]
    let encryptor: [EncryptorError] = [.failedToEncrypt, .failedToDecrypt]
    let messages = keychain.map(\.errorMessage) + encryptor.map(\.errorMessage)
    #expect(Set(messages).count == 5)
    #expect(keychain.map(\.localizedDescription) + encryptor.map(\.localizedDescription) == messages)
  }
}

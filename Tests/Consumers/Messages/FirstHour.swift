import Foundation
import Strata

// Lines that a newcomer may type first, and that are wrong. The text after `says:` is part of the compiler's error for
// the line, as Tests/Scripts/names.sh checks: it has to say what to write.

struct Plain { var name: String }
struct User: Codable, Sendable { var name: String }

func stores(_ users: Storage<String, User>) async throws {
  _ = Storage<String, User>()  // says: a store in memory alone is `MemoryStorage<Key, Value>(config:)`
  _ = Storage<String, User>(memoryConfig: MemoryConfig())  // says: a store in memory alone is `MemoryStorage
  _ = try Storage<String, User>(diskConfig: DiskConfig(name: "a"))  // says: argument for parameter 'transformer'
  _ = try Storage(diskConfig: DiskConfig(name: "a"), transformer: .codable(User.self))  // says: generic parameter 'Key'
  _ = Transformer.codable(Plain.self)  // says: the type of the values does not conform to Codable
  let plain: Transformer<Plain> = .codable  // says: the type of the values does not conform to Codable
  _ = users.transform(to: Plain.self)  // says: requires that 'Plain' conform to 'Decodable'
  _ = users["ada"]  // says: write `try store.object(forKey:)` and `try store.setObject(_:forKey:)`
  users["ada"] = User(name: "Ada")  // says: write `try store.object(forKey:)` and `try store.setObject(_:forKey:)`
  _ = try await users.get("ada")  // says: 'get' has been renamed to 'object(forKey:)'
  _ = try await users.value(forKey: "ada")  // says: 'value(forKey:)' has been renamed to 'object(forKey:)'
  _ = try await users.object(forKey: 5)  // says: cannot convert value of type 'Int' to expected argument type 'String'
  _ = try users.object(forKey: "ada")  // says: expression is 'async' but is not marked with 'await'
}

func policies() {
  _ = LoadPolicy(staleFor: .seconds(2), freshFor: .seconds(1))  // says: 'freshFor' must precede argument 'staleFor'
  _ = LoadPolicy(freshFor: 60)  // says: cannot convert value of type 'Int' to expected argument type 'Duration'
  _ = MemoryConfig(countLimit: 1000, expiry: .seconds(1))  // says: 'expiry' must precede argument 'countLimit'
}

func loading(_ users: Storage<String, User>) async {
  _ = users.loading { request in User(name: request.key) }  // says: cannot convert value of type 'User' to closure result
  let loading = users.loading { request in .value(User(name: request.key)) }
  for await event in loading.events {
    if event.kind == .hit { print(event) }  // says: write `if case .hit = event.kind`, or compare `name`
  }
}

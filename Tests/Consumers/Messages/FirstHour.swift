import Foundation
import Strata

// Lines that a newcomer may type first, and that are wrong. The text after `says:` is part of the compiler's error for
// the line, as Tests/Scripts/names.sh checks: it has to say what to write.

struct Plain { var name: String }
struct User: Codable, Sendable { var name: String }

func stores(_ users: Storage<String, User>) async throws {
  _ = Storage<String, User>()  // says: a store in memory alone is `MemoryStorage
  _ = Storage<String, User>(memoryConfig: .init())  // says: a store in memory alone is `MemoryStorage
  _ = try Storage<String, User>(diskConfig: DiskConfig(name: "a"))  // says: parameter 'transformer'
  _ = try Storage(diskConfig: .init(name: "a"), transformer: .codable(User.self))  // says: parameter 'Key'
  _ = Transformer.codable(Plain.self)  // says: the type of the values does not conform to Codable
  let plain: Transformer<Plain> = .codable  // says: the type of the values does not conform to Codable
  _ = users.transform(to: Plain.self)  // says: requires that 'Plain' conform to 'Decodable'
  _ = users["ada"]  // says: write `try store.object(forKey:)`
  users["ada"] = User(name: "Ada")  // says: write `try store.object(forKey:)`
  _ = try await users.get("ada")  // says: 'get' has been renamed to 'object(forKey:)'
  _ = try await users.value(forKey: "ada")  // says: renamed to 'object(forKey:)'
  _ = try await users.object(forKey: 5)  // says: expected argument type 'String'
  _ = try users.object(forKey: "ada")  // says: is not marked with 'await'
}

func policies() {
  _ = LoadPolicy(staleFor: nil, freshFor: .seconds(1))  // says: must precede argument 'staleFor'
  _ = LoadPolicy(freshFor: 60)  // says: expected argument type 'Duration'
  _ = MemoryConfig(countLimit: 1000, expiry: .seconds(1))  // says: must precede argument 'countLimit'
}

func loading(_ users: Storage<String, User>) async {
  _ = users.loading { request in
    User(name: request.key)  // says: type 'User' to closure result type 'Loaded<User>'
  }
  let loading = users.loading { request in .value(User(name: request.key)) }
  for await event in loading.events {
    if event.kind == .hit { print(event) }  // says: write `if case .hit = event.kind`
  }
}

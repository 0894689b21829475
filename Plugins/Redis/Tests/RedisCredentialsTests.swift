import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// Credentials of connections: passwords that change, and users without one.
@Suite(.timeLimit(.minutes(10))) struct RedisCredentialsTests {
  private let whoAmI = RedisCommand("ACL", "WHOAMI", keyIndex: nil)

  @Test("a user without a password is not treated as the default user") func userAlone() async throws {
    let server = try await RedisServer()
    try await server.run(
      "ACL", "SETUSER", "reader", "on", "nopass", "~*", "+get",
      RedisServer.isBefore7 ? "+eval" : "+pexpiretime",
      "+time", "+pttl", "+acl|whoami")
    try await server.run("ACL", "SETUSER", "secret", "on", ">x", "~*", "+@all")
    let node = RedisNode(port: server.port) { $0.user = "reader" }
    #expect(try await node.send(whoAmI) == "reader")
    #expect(try await node.send(RedisCommand("SET", "k", "v")).failure?.code == "NOPERM")
    let store = try store(server.address, user: "reader")
    #expect(try await store.entryIfPresent(forKey: "key") == nil)
    #expect(await failure { try await store.setObject(text("x"), forKey: "key") } == .invalidConfiguration)
    let refused = try StrataRedisTests.store(server.address, user: "secret")
    #expect(await failure { try await refused.entryIfPresent(forKey: "key") } == .invalidConfiguration)
  }

  @Test("a user without a password can use a server without HELLO") func oldServer() async throws {
    let server = try await RedisServer(["--rename-command", "HELLO", "NOTHELLO"])
    try await server.run("ACL", "SETUSER", "reader", "on", "nopass", "~*", "+get", "+acl|whoami")
    let node = RedisNode(port: server.port) { $0.user = "reader" }
    #expect(try await node.send(whoAmI) == "reader")
  }

  @Test("a provider is called for each connection") func provider() async throws {
    let server = try await RedisServer(["--requirepass", "one"])
    let proxy = Proxy(to: server)
    let (password, asked) = (Shared("one"), Shared(0))
    let store = try RedisStorage<String>(
      config: RedisConfig(
        addresses: [proxy.address], timeout: .seconds(60),
        credentials: .asking {
          asked.change { $0 += 1 }
          return RedisCredentials(password: password.value)
        }), namespace: "s")
    try await store.setObject(text("x"), forKey: "key")
    let raw = try server.raw()
    #expect(try raw.run("AUTH", "one") == .simple("OK"))
    #expect(try raw.run("CONFIG", "SET", "requirepass", "two") == .simple("OK"))
    password.change { $0 = "two" }
    proxy.cutAll()
    #expect(try await store.object(forKey: "key") == text("x"))
    try await store.update(forKey: "key") { $0 = text("y") }
    #expect(asked.value >= 3, "two lines one after the other, and one for the update")
  }

  @Test("expiring credentials are renewed on the same connection") func renewal() async throws {
    let server = try await RedisServer()
    for name in ["one", "two"] {
      try await server.run("ACL", "SETUSER", name, "on", ">\(name)", "~*", "+@all")
    }
    let proxy = Proxy(to: server)
    let names = Shared(["one", "two"])
    let node = RedisNode(port: proxy.port) {
      $0.credentials = .asking {
        let name = names.change { $0.count > 1 ? $0.removeFirst() : $0[0] }
        return RedisCredentials(user: name, password: name, life: .milliseconds(20))
      }
    }
    try await eventually { try await node.send(whoAmI) == "two" }
    #expect(proxy.accepted == 1)
  }

  @Test("calls fail if the provider fails, and the error has only the type of its error") func failing()
    async throws
  {
    struct Refused: Error { let token = "S3CR3T" }
    let server = try await RedisServer()
    let store = try RedisStorage<String>(
      config: RedisConfig(
        addresses: [server.address], timeout: .milliseconds(500), credentials: .asking { throw Refused() }),
      namespace: "s")
    var error: StorageError?
    // On a busy machine the provider may not have been asked by then.
    try await eventually {
      error = await failure { try await store.object(forKey: "key") }
      return (error?.cause as? RedisConnectionError) != .timedOut
    }
    #expect(error == .backendFailed)
    #expect(error?.description.contains("Refused") == true && error?.description.contains("S3CR3T") == false)
  }
}

import Testing

@testable import StrataRedis

/// Redirections of cluster nodes.
@Suite struct RedirectTests {
  private let asked = RedisAddress(host: "10.0.0.1", port: 7000)

  @Test(arguments: [
    ("MOVED 3999 127.0.0.1:6381", Redirect.Reason.moved, 3999, "127.0.0.1", 6381),
    ("ASK 16383 redis-3.example:6379", .ask, 16_383, "redis-3.example", 6379),
    ("MOVED 0 ::1:6381", .moved, 0, "::1", 6381),
    ("MOVED 0 :6381", .moved, 0, "10.0.0.1", 6381),
    ("MOVED 0 ?:6381", .moved, 0, "10.0.0.1", 6381),
  ])
  func redirectionsAreParsed(
    _ message: String, _ reason: Redirect.Reason, _ slot: Int, _ host: String, _ port: UInt16
  ) {
    let redirect = Redirect(RedisReplyError(message), asked: asked)
    #expect(redirect?.reason == reason)
    #expect(redirect?.slot.number == slot)
    #expect(redirect?.address == RedisAddress(host: host, port: port))
  }

  @Test(arguments: [
    "ERR unknown command", "MOVED", "MOVED 1", "MOVED 16384 h:1", "MOVED -1 h:1", "MOVED x h:1", "MOVED 1 h",
    "MOVED 1 h:",
    "MOVED 1 h:65536", "ASKING 1 h:1", "TRYAGAIN Multiple keys request during rehashing of slot", "",
  ])
  func otherErrorsAreNoRedirections(_ message: String) {
    #expect(Redirect(RedisReplyError(message), asked: asked) == nil)
  }

  @Test func aRedirectionWithoutAHostNeedsTheServersHost() {
    #expect(Redirect(RedisReplyError("MOVED 1 :6381"), asked: RedisAddress(path: "/run/redis.sock")) == nil)
  }
}

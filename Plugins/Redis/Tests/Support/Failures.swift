import StrataCore
import StrataRedis
import Testing

/// Returns a store on a server, with the settings of these tests.
func store(
  _ address: RedisAddress, user: String? = nil, password: String? = nil, timeout: Duration = .seconds(10)
) throws -> RedisStorage<String> {
  try RedisStorage(
    config: RedisConfig(addresses: [address], user: user, password: password, timeout: timeout),
    namespace: "s")
}

/// Checks that an error has the operation, the advice, the location, and the server's message.
func expectFailure(
  _ error: StorageError?, _ code: StorageError, _ words: [String], key: String? = "key",
  at address: RedisAddress,
  cause: String?, sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let error else {
    Issue.record("it did not throw a StorageError", sourceLocation: sourceLocation)
    return
  }
  #expect(error == code, "\(error)", sourceLocation: sourceLocation)
  for word in words { #expect(error.message.contains(word), "\(error)", sourceLocation: sourceLocation) }
  #expect(error.key as? String == key, sourceLocation: sourceLocation)
  #expect(error.place == address.description, sourceLocation: sourceLocation)
  if let cause {
    #expect((error.cause as? RedisReplyError)?.code == cause, "\(error)", sourceLocation: sourceLocation)
  } else {
    #expect(error.cause is RedisConnectionError, "\(error)", sourceLocation: sourceLocation)
  }
}

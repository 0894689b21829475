#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage: UpdateableStorage {
  /// Reads, modifies and stores a value, atomically for all processes, and returns the stored value. The expiry is
  /// unchanged.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if another client changes the entry meanwhile, `modify` runs again on the new value. It throws
  /// `.backendFailed` if that continues for longer than `RedisConfig.timeout`. It also does if the connection is lost
  /// and it is unknown whether the change was made: a change is never made twice.
  ///
  /// Under a lease, throws `.leaseLost` and changes nothing if the lease has ended.
  ///
  /// Takes two round trips, on a separate connection. Updates of one key through this store take turns.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    do {
      let word = namespace.word(key)
      return try await updates.withTurn(.key(key)) {
        func replace(_ old: Data?) throws -> (Data, [RedisCommand]) {
          guard var value = old else { throw StorageError.notFound }
          try modify(&value)
          let bytes = RedisValue.bytes(try checked(value))
          return (value, [RedisCommand("SET", word, .bytes(bytes), "KEEPTTL")])
        }
        let lease = StorageLease.current(issuedBy: self)
        let leases = try lease.map { _ in [try leaseWord(key)] } ?? []
        func reading(_ command: StaticString) -> [RedisCommand] {
          [RedisCommand("WATCH", [word] + leases), RedisCommand(command, word)]
            + leases.map { RedisCommand("GET", $0) }
        }
        func checkLease(_ replies: [RESPValue]) throws {
          if let lease, replies[2].text != "\(lease.token)" { throw StorageError.leaseLost }
        }
        var isDivided = false
        while true {
          do {
            if isDivided {
              return try await client.transaction(reading: reading("HGETALL")) {
                try checkLease($0)
                return try replace(Self.assembled($0[1]))
              }
            }
            return try await client.transaction(reading: reading("GET")) { replies in
              try checkLease(replies)
              let entry = replies[1].bytes.map(RedisValue.entry)
              return try replace(entry.liveObject(by: clock))
            }
          } catch let error as StorageError where error.isOfType {
            switch try await divided(key) {
            case .value: isDivided = true
            case .text: isDivided = false
            case .absent: throw StorageError.notFound
            }
          }
        }
      }
    } catch { throw client.explained(error, "update the entry", key) }
  }
}

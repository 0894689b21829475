import StrataCore
import Synchronization

/// Batches on a server where nothing expires. Requesting an expiry for each key takes three times as long as reading
/// the values.
extension RedisStorage {
  /// Returns the values of keys of one server if none of its keys expires. Otherwise returns `nil`, and the values must
  /// be read with their expiries.
  ///
  /// The values and the server's report (`INFO`) are read in one transaction. If the user may not run `INFO`, or keys
  /// expire, further attempts are made only once in a while.
  func undatedValues(_ words: [RedisCommand.Word]) async throws -> [RESPValue]? {
    // For fewer keys, requesting each expiry takes no longer.
    guard words.count >= 16, client.datedBatches.load(ordering: .relaxed) == 0 else {
      countBatch()
      return nil
    }
    let get = RedisCommand("MGET", words, isIdempotent: true)
    let look = RedisCommand("INFO", "keyspace", keyIndex: nil, isIdempotent: true)
    let reply = try await client.send(RedisCommand(whole: [get, look]), reads: true)
    // Any other refusal also occurs with expiries.
    if let refusal = reply.failure, refusal.code == "TOOLARGE" {
      throw StorageError.refusal(refusal, by: nil)
    }
    guard let parts = reply.elements, parts.count == 2, let values = parts[0].elements,
      values.count == words.count, let report = parts[1].text,
      Self.expiring(in: report, client.config.database) == 0
    else {
      client.datedBatches.store(1000, ordering: .relaxed)
      return nil
    }
    var absent: [RedisCommand.Word] = []
    for index in values.indices { if case .null = values[index] { absent.append(words[index]) } }
    if absent.isEmpty { return values }
    // Keys that do not hold a string have no value either, and must be distinguished from absent keys.
    let others = try await send(RedisCommand("EXISTS", absent, isIdempotent: true), reads: true)
    return others == .integer(0) ? values : nil
  }

  private func countBatch() {
    let left = client.datedBatches.load(ordering: .relaxed)
    // A concurrent decrement may be lost.
    if left > 0 { client.datedBatches.store(left - 1, ordering: .relaxed) }
  }

  /// Returns the number of keys in a database that expire, from the server's report.
  private static func expiring(in report: String, _ database: Int) -> Int? {
    let line = report.split(whereSeparator: \.isNewline).first { $0.hasPrefix("db\(database):") }
    // An empty database is not listed.
    guard let line else { return 0 }
    let head = "expires="
    return line.split(separator: ",").first { $0.hasPrefix(head) }.flatMap { Int($0.dropFirst(head.count)) }
  }
}

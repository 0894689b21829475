import StrataCore
import Synchronization

/// Batches on a server on which nothing expires: to ask it for a date of each key takes three times as long as to read
/// the values.
extension RedisStorage {
  /// The values of many keys that one server has, if nothing on it expires; otherwise `nil`, and they have to be read
  /// with their dates.
  ///
  /// Server and values are looked at in one step. Where the user may not ask for that (`INFO`), or something expires,
  /// it is tried only once in a while.
  func undatedValues(_ words: [RedisCommand.Word]) async throws -> [RESPValue]? {
    // So few take no longer than to ask what expires.
    guard words.count >= 16, client.datedBatches.load(ordering: .relaxed) == 0 else {
      countBatch()
      return nil
    }
    let get = RedisCommand("MGET", words, isIdempotent: true)
    let look = RedisCommand("INFO", "keyspace", keyIndex: nil, isIdempotent: true)
    let reply = try await client.send(RedisCommand(whole: [get, look]), reads: true)
    // Whatever else is wrong is wrong with dates too.
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
    // What is no string has no value either, and is to be told from what is not there.
    let others = try await send(RedisCommand("EXISTS", absent, isIdempotent: true), reads: true)
    return others == .integer(0) ? values : nil
  }

  private func countBatch() {
    let left = client.datedBatches.load(ordering: .relaxed)
    // If two do so at a time, one of them is not counted.
    if left > 0 { client.datedBatches.store(left - 1, ordering: .relaxed) }
  }

  /// How many keys of a database expire, by what a server says of itself.
  private static func expiring(in report: String, _ database: Int) -> Int? {
    let line = report.split(whereSeparator: \.isNewline).first { $0.hasPrefix("db\(database):") }
    // A database that holds nothing is not named.
    guard let line else { return 0 }
    let head = "expires="
    return line.split(separator: ",").first { $0.hasPrefix(head) }.flatMap { Int($0.dropFirst(head.count)) }
  }
}

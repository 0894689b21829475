import StrataCore

extension RedisClient {
  /// Returns the whole numbers of the server's report (`INFO`), such as `keyspace_hits` and `used_memory`. The numbers
  /// of a database have names such as `db0.keys`.
  ///
  /// They concern the whole server, not only the stores of this client. Of a cluster they are the sums over its
  /// primaries. Throws `.backendFailed`, also if the user may not run `INFO`.
  ///
  /// ```swift
  /// let figures = try await client.figures()
  /// print(figures["evicted_keys"] ?? 0, figures["db0.keys"] ?? 0)
  /// ```
  public func figures() async throws -> [String: Int] {
    // By server, since a server may be asked twice.
    let found = Locked<[RedisAddress: [String: Int]]>([:])
    do {
      try await onPrimaries { node, _ in
        let reply = try await node.send(RedisCommand("INFO", keyIndex: nil, isIdempotent: true))
        if let refusal = reply.failure { throw StorageError.refusal(refusal, by: node.address) }
        guard let report = reply.text else { throw StorageError.unread(reply) }
        found.withLock { $0[node.address] = Self.figures(in: report) }
      }
    } catch { throw explained(error, "read the server's figures") }
    return found.withLock { found in found.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) } }
  }

  /// Returns the whole numbers in lines such as `used_memory:1024` and `db0:keys=5,expires=1`.
  static func figures(in report: String) -> [String: Int] {
    var figures: [String: Int] = [:]
    for line in report.split(whereSeparator: \.isNewline) {
      let (name, text) = halves(line, ":")
      if let number = Int(text) { figures[String(name)] = number }
      for part in text.split(separator: ",") {
        let (field, value) = halves(part, "=")
        if let number = Int(value) { figures["\(name).\(field)"] = number }
      }
    }
    return figures
  }

  private static func halves(_ text: Substring, _ mark: Character) -> (Substring, Substring) {
    let name = text.prefix { $0 != mark }
    return (name, text[name.endIndex...].dropFirst())
  }
}

/// The server's identifier of a connection: its number, and its address as seen by the server. The number alone is not
/// unique: another server at the same address starts to count again.
struct ServerIdentity: Sendable, Hashable {
  let number: Int
  let address: String

  /// Parses the reply to `CLIENT INFO`; `nil` if it is invalid.
  init?(_ reply: RESPValue) {
    guard reply.failure == nil, let text = reply.text else { return nil }
    var fields: [Substring: Substring] = [:]
    for field in text.split(whereSeparator: { $0 == " " || $0.isNewline }) {
      guard let equals = field.firstIndex(of: "=") else { continue }
      fields[field[..<equals]] = field[field.index(after: equals)...]
    }
    guard let number = fields["id"].flatMap({ Int($0) }), let address = fields["addr"] else { return nil }
    self.number = number
    self.address = String(address)
  }

  /// The command that ends the connection.
  var kill: RedisCommand {
    RedisCommand("CLIENT", "KILL", "ID", .integer(number), "ADDR", .text(address), keyIndex: nil)
  }
}

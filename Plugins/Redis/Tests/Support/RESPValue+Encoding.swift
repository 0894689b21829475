import Foundation

@testable import StrataRedis

extension RESPValue {
  /// The bytes that a RESP3 server sends for this value.
  var encoded: [UInt8] {
    switch self {
    case .simple(let text): Array("+\(text)\r\n".utf8)
    case .bulk(let data): Array("$\(data.count)\r\n".utf8) + data + [13, 10]
    case .integer(let number): Array(":\(number)\r\n".utf8)
    case .double(let number): Array(",\(number)\r\n".utf8)
    case .boolean(let flag): Array("#\(flag ? "t" : "f")\r\n".utf8)
    case .null: Array("_\r\n".utf8)
    case .bigNumber(let digits): Array("(\(digits)\r\n".utf8)
    case .verbatim(let format, let data): Array("=\(data.count + 4)\r\n\(format):".utf8) + data + [13, 10]
    case .array(let elements): Self.encoded("*", elements.count, elements)
    case .map(let elements): Self.encoded("%", elements.count / 2, elements)
    case .set(let elements): Self.encoded("~", elements.count, elements)
    case .push(let elements): Self.encoded(">", elements.count, elements)
    case .error(let error): Array("-\(error.message)\r\n".utf8)
    }
  }

  private static func encoded(_ kind: String, _ count: Int, _ elements: [RESPValue]) -> [UInt8] {
    Array("\(kind)\(count)\r\n".utf8) + elements.flatMap(\.encoded)
  }

  /// Returns a random value, nested up to a depth.
  static func random(depth: Int, using random: inout some RandomNumberGenerator) -> RESPValue {
    func elements(_ width: Int) -> [RESPValue] {
      (0..<Int.random(in: 0...4, using: &random) * width).map { _ in
        self.random(depth: depth - 1, using: &random)
      }
    }
    let bytes = Data(
      (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) })
    switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &random) {
    case 0: return .simple(["", "OK", "é"].randomElement(using: &random) ?? "")
    case 1: return .bulk(bytes)
    case 2: return .integer(.random(in: .min ... .max, using: &random))
    case 3: return .double(.random(in: -1e6...1e6, using: &random))
    case 4: return .boolean(.random(using: &random))
    case 5: return .null
    case 6: return .bigNumber("-3492890328409238509324850943850943825024385")
    case 7: return .verbatim(format: "txt", bytes)
    case 8: return .error(RedisReplyError("ERR no"))
    case 9: return .array(elements(1))
    case 10: return .map(elements(2))
    default: return .set(elements(1))
    }
  }
}

extension RESPDecoder {
  /// Adds bytes as if they had arrived from a server.
  mutating func feed(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    while !rest.isEmpty {
      receive { space in
        let piece = rest.prefix(space.count)
        rest = rest.dropFirst(piece.count)
        space.copyBytes(from: piece)
        return piece.count
      }
    }
  }

  /// Returns all complete replies.
  mutating func all() throws(Malformed) -> [RESPValue] {
    var values: [RESPValue] = []
    while let value = try next() { values.append(value) }
    return values
  }
}

/// Random numbers that are equal for equal seeds, so that failures can be reproduced.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

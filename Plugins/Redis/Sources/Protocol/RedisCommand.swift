#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A command in the bytes in which it goes to the server, encoded once however often it is sent.
///
/// ```swift
/// let reply = try await node.send(RedisCommand("GET", "user:17", isIdempotent: true))
/// ```
struct RedisCommand: Sendable, Hashable {
  /// The command as an array of bulk strings.
  let bytes: [UInt8]
  /// Whether it may be sent again when the connection is lost before the reply, because it changes nothing.
  ///
  /// What changes something may not: the first copy may arrive late, after a later change that the second one comes before.
  let isIdempotent: Bool
  /// How many replies it has: it may be several commands to the server.
  let replyCount: Int
  /// Whether all of these count, and not only the last. A refusal always does, if it is the first.
  let gathersReplies: Bool
  /// Where the second of two commands begins, which a cluster is asked one by one.
  private let secondStart: Int
  /// Where in `bytes` the key is by which a cluster chooses the node.
  private let keyRange: Range<Int>?

  /// A command. In a cluster it goes to the node that has the key, the first word after the name; `keyIndex` names another
  /// word, counted from there, or none with `nil`.
  init(_ name: StaticString, _ words: Word..., keyIndex: Int? = 0, isIdempotent: Bool = false) {
    self.init(name, words, keyIndex: keyIndex, isIdempotent: isIdempotent)
  }

  /// A command of any number of words.
  init(_ name: StaticString, _ words: [Word], keyIndex: Int? = 0, isIdempotent: Bool = false) {
    let size = words.reduce(32 + name.utf8CodeUnitCount) { $0 + $1.count + 16 }
    var bytes = [UInt8]()
    bytes.reserveCapacity(size)
    bytes.appendHead("*", words.count + 1)
    bytes.appendHead("$", name.utf8CodeUnitCount)
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.appendLineEnd()
    var keyRange: Range<Int>?
    for (index, word) in words.enumerated() {
      let range = word.append(to: &bytes)
      if index == keyIndex { keyRange = range }
    }
    self.bytes = bytes
    self.keyRange = keyRange
    self.isIdempotent = isIdempotent
    replyCount = 1
    gathersReplies = false
    secondStart = 0
  }

  /// Commands that no other comes between, as one: its reply is an array of theirs. It goes to the server of the first one's key.
  init(whole commands: [RedisCommand]) {
    let (head, tail) = (Self.begin.bytes, Self.end.bytes)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(commands.reduce(head.count + tail.count) { $0 + $1.bytes.count })
    bytes += head
    for command in commands { bytes += command.bytes }
    bytes += tail
    self.bytes = bytes
    keyRange = commands.first?.keyRange.map { $0.lowerBound + head.count..<$0.upperBound + head.count }
    isIdempotent = commands.allSatisfy(\.isIdempotent)
    replyCount = commands.count + 2
    gathersReplies = false
    secondStart = 0
  }

  /// Commands that go out together, as one: its reply is an array of theirs. Those of others may come between.
  init(together commands: [RedisCommand]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(commands.reduce(0) { $0 + $1.bytes.count })
    for command in commands { bytes += command.bytes }
    self.bytes = bytes
    keyRange = commands.first?.keyRange
    isIdempotent = commands.allSatisfy(\.isIdempotent)
    replyCount = commands.count
    gathersReplies = true
    secondStart = commands.count == 2 ? commands[0].bytes.count : 0
  }

  /// A part of another.
  private init(_ bytes: ArraySlice<UInt8>, of other: RedisCommand) {
    self.bytes = Array(bytes)
    (isIdempotent, replyCount, gathersReplies) = (other.isIdempotent, 1, false)
    (keyRange, secondStart) = (nil, 0)
  }

  /// The commands that a server has to be told each of that it is asked for what is not its own yet.
  var parts: [RedisCommand] {
    if secondStart == 0 { return [self] }
    return [RedisCommand(bytes[..<secondStart], of: self), RedisCommand(bytes[secondStart...], of: self)]
  }

  /// The reply to the command, by those to all that it is.
  func reply(_ replies: some Collection<RESPValue>) -> RESPValue {
    if replies.count == 1, !gathersReplies, let only = replies.first { return only }
    if let refusal = replies.first(where: { $0.failure != nil }) { return refusal }
    if gathersReplies { return .array(Array(replies)) }
    return replies.reduce(.null) { $1 }
  }

  /// The bytes of the key by which a cluster chooses the node.
  var key: ArraySlice<UInt8>? { keyRange.map { bytes[$0] } }
}

extension RedisCommand {
  /// A word of a command: text, a number or bytes, and all of them are bytes to the server.
  enum Word: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case integer(Int)
    case bytes(Data)
    case raw([UInt8])
    /// Text behind bytes that many words begin with.
    case prefixed([UInt8], String)

    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .integer(number) }

    /// How many bytes it takes; of a number, at most.
    fileprivate var count: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .integer: 20
      case .bytes(let data): data.count
      case .raw(let bytes): bytes.count
      case .prefixed(let prefix, let text): prefix.count + text.utf8.count
      }
    }

    /// Appends the word as a bulk string, and returns where its own bytes are.
    fileprivate func append(to bytes: inout [UInt8]) -> Range<Int> {
      switch self {
      case .text(let text):
        bytes.appendHead("$", text.utf8.count)
        return bytes.appendWord { $0.append(contentsOf: text.utf8) }
      case .integer(let number):
        let digits = String(number)
        bytes.appendHead("$", digits.utf8.count)
        return bytes.appendWord { $0.append(contentsOf: digits.utf8) }
      case .raw(let word):
        bytes.appendHead("$", word.count)
        return bytes.appendWord { $0.append(contentsOf: word) }
      case .prefixed(let prefix, let text):
        return text.withCanonicalUTF8 { text in
          bytes.appendHead("$", prefix.count + text.count)
          return bytes.appendWord {
            $0.append(contentsOf: prefix)
            $0.append(contentsOf: text)
          }
        }
      case .bytes(let data):
        bytes.appendHead("$", data.count)
        return bytes.appendWord { bytes in
          data.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
      }
    }
  }
}

extension [UInt8] {
  /// `$17`, and the end of the line.
  fileprivate mutating func appendHead(_ kind: Unicode.Scalar, _ count: Int) {
    append(UInt8(ascii: kind))
    // By hand, since each command has several of them: without a text made for each.
    var scale = 1
    while count / scale >= 10 { scale *= 10 }
    while scale > 0 {
      append(UInt8(ascii: "0") + UInt8(count / scale % 10))
      scale /= 10
    }
    appendLineEnd()
  }

  fileprivate mutating func appendLineEnd() {
    append(UInt8(ascii: "\r"))
    append(UInt8(ascii: "\n"))
  }

  fileprivate mutating func appendWord(_ word: (inout [UInt8]) -> Void) -> Range<Int> {
    let start = count
    word(&self)
    let range = start..<count
    appendLineEnd()
    return range
  }
}

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
  /// What changes something may not: the first copy may arrive late, after a later change that the second one comes
  /// before.
  let isIdempotent: Bool
  /// How many replies it has: it may be several commands to the server.
  let replyCount: Int
  /// What these replies are together.
  let outcome: Outcome
  /// Where the second of two commands begins, which a cluster is asked one by one.
  private let secondStart: Int
  /// Where in `bytes` the key is by which a cluster chooses the node.
  private let keyRange: Range<Int>?

  /// A command. In a cluster it goes to the node that has the key, the first word after the name; `keyIndex` names
  /// another word, counted from there, or none with `nil`.
  init(_ name: StaticString, _ words: Word..., keyIndex: Int? = 0, isIdempotent: Bool = false) {
    self.init(name, words, keyIndex: keyIndex, isIdempotent: isIdempotent)
  }

  /// A command of any number of words.
  init(_ name: StaticString, _ words: [Word], keyIndex: Int? = 0, isIdempotent: Bool = false) {
    var keyRange: Range<Int>?
    let size = words.reduce(RedisWriter.size(ofName: name)) { $0 + RedisWriter.size(of: $1) }
    bytes = .written(size) { writer in
      writer.write(name, words: words.count)
      for (index, word) in words.enumerated() {
        let range = writer.write(word)
        if index == keyIndex { keyRange = range }
      }
    }
    self.keyRange = keyRange
    self.isIdempotent = isIdempotent
    replyCount = 1
    outcome = .last
    secondStart = 0
  }

  /// Commands that no other comes between, as one: its reply is an array of theirs. It goes to the server of the first
  /// one's key.
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
    outcome = .last
    secondStart = 0
  }

  /// The command that stores a value under a key.
  init(set key: Word, to value: Data, _ life: Life, _ condition: Condition? = nil) {
    let value = Word.bytes(value)
    let life = life.option
    let size =
      RedisWriter.size(ofName: "SET") + RedisWriter.size(of: key) + RedisWriter.size(of: value)
      + 4 * RedisWriter.size(of: .integer(0))
    var keyRange: Range<Int>?
    bytes = .written(size) { writer in
      writer.write("SET", words: 2 + (life == nil ? 0 : 2) + (condition == nil ? 0 : 1))
      keyRange = writer.write(key)
      _ = writer.write(value)
      if let life {
        writer.write(life.name)
        _ = writer.write(.integer(life.number))
      }
      if let condition { writer.write(condition.name) }
    }
    self.keyRange = keyRange
    isIdempotent = false
    replyCount = 1
    outcome = condition == .inPlaceOfText ? .noText : .last
    secondStart = 0
  }

  /// When `SET` stores a value.
  enum Condition {
    /// If nothing is there.
    case inPlaceOfNothing
    /// If nothing is there, or a text, with which the server answers.
    case inPlaceOfText

    fileprivate var name: StaticString {
      switch self {
      case .inPlaceOfNothing: "NX"
      case .inPlaceOfText: "GET"
      }
    }
  }

  /// Two commands of one word, a key, that go out together, as one: its reply is an array of theirs. Those of others
  /// may come between. Both change nothing.
  init(reading first: StaticString, _ second: StaticString, _ key: Word) {
    var keyRange: Range<Int>?
    var secondStart = 0
    let size =
      RedisWriter.size(ofName: first) + RedisWriter.size(ofName: second) + 2 * RedisWriter.size(of: key)
    bytes = .written(size) { writer in
      writer.write(first, words: 1)
      let start = writer.count
      keyRange = writer.write(key)
      secondStart = writer.count
      writer.write(second, words: 1)
      writer.writeAgain(start..<secondStart)
    }
    (self.keyRange, self.secondStart) = (keyRange, secondStart)
    isIdempotent = true
    replyCount = 2
    outcome = .all
  }

  /// A command of many keys, and then another one of each of them, that go out together, as one: its reply is an array
  /// of theirs. Those of others may come between. All of them change nothing.
  init(reading all: StaticString, _ each: StaticString, _ keys: [Word]) {
    var keyRange: Range<Int>?
    let size = keys.reduce(RedisWriter.size(ofName: all)) { size, key in
      size + 2 * RedisWriter.size(of: key) + RedisWriter.size(ofName: each)
    }
    bytes = .written(size) { writer in
      writer.write(all, words: keys.count)
      // Where the words begin, and where the last one ends.
      var places = [writer.count]
      places.reserveCapacity(keys.count + 1)
      for key in keys {
        let range = writer.write(key)
        keyRange = keyRange ?? range
        places.append(writer.count)
      }
      if keys.isEmpty { return }
      let head = writer.count
      writer.write(each, words: 1)
      let headEnd = writer.count
      writer.writeAgain(places[0]..<places[1])
      for index in 1..<keys.count {
        writer.writeAgain(head..<headEnd)
        writer.writeAgain(places[index]..<places[index + 1])
      }
    }
    self.keyRange = keyRange
    isIdempotent = true
    replyCount = keys.count + 1
    outcome = .all
    secondStart = 0
  }

  /// A part of another.
  private init(_ bytes: ArraySlice<UInt8>, of other: RedisCommand) {
    self.bytes = Array(bytes)
    (isIdempotent, replyCount, outcome) = (other.isIdempotent, 1, .last)
    (keyRange, secondStart) = (nil, 0)
  }

  /// The commands that a server has to be told each of that it is asked for what is not its own yet.
  var parts: [RedisCommand] {
    if secondStart == 0 { return [self] }
    return [RedisCommand(bytes[..<secondStart], of: self), RedisCommand(bytes[secondStart...], of: self)]
  }

  /// The bytes of the key by which a cluster chooses the node.
  var key: ArraySlice<UInt8>? { keyRange.map { bytes[$0] } }
}

extension RedisCommand {
  /// What the replies to several commands are together. A refusal is all there is, if there is one: the first.
  enum Outcome: Sendable {
    /// The last of them.
    case last
    /// An array of all.
    case all
    /// One, and if it is a text, which need not be read, an empty one.
    case noText

    func reply(_ replies: ArraySlice<RESPValue>) -> RESPValue {
      if replies.count == 1, self != .all { return replies[replies.startIndex] }
      for reply in replies { if case .error = reply { return reply } }
      return self == .all ? .array(Array(replies)) : replies.last ?? .null
    }
  }

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
  }
}

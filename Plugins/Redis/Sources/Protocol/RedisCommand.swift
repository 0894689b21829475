#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A command, encoded once as the bytes that are sent to the server.
///
/// ```swift
/// let reply = try await node.send(RedisCommand("GET", "user:17", isIdempotent: true))
/// ```
struct RedisCommand: Sendable, Hashable {
  /// The command as an array of bulk strings.
  let bytes: [UInt8]
  /// Whether the command changes nothing, so that it may be sent again if the connection is lost before the reply.
  ///
  /// A write must not be sent again: the first copy may still be executed, and the second copy could then overwrite a
  /// later change.
  let isIdempotent: Bool
  /// The number of replies, which is more than 1 if this value consists of several commands.
  let replyCount: Int
  /// The way in which the replies are combined.
  let outcome: Outcome
  /// Whether the texts in its replies are not needed, so that they are decoded as empty ones. This also applies to all
  /// commands that are sent together with it: none of them may read a text.
  let dropsTexts: Bool
  /// The offset of the second of two commands. A cluster redirects them one by one.
  private let secondStart: Int
  /// The range of the key in `bytes`, which selects a cluster's node.
  private let keyRange: Range<Int>?
  /// The ranges of the keys of further commands.
  private var laterKeyRanges: ArraySlice<Range<Int>> = []

  /// Creates a command. In a cluster it is sent to the node of its key, the first word after the name. `keyIndex`
  /// selects another word, or with `nil` none.
  init(_ name: StaticString, _ words: Word..., keyIndex: Int? = 0, isIdempotent: Bool = false) {
    self.init(name, words, keyIndex: keyIndex, isIdempotent: isIdempotent)
  }

  /// Creates a command of any number of words.
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
    dropsTexts = false
    secondStart = 0
  }

  /// Creates a command that changes data from its bytes, with the ranges of its keys.
  init(
    writing bytes: [UInt8], _ keyRange: Range<Int>?, _ laterKeyRanges: ArraySlice<Range<Int>> = [],
    replyCount: Int, dropsTexts: Bool
  ) {
    (self.bytes, self.keyRange, self.laterKeyRanges) = (bytes, keyRange, laterKeyRanges)
    (self.replyCount, self.dropsTexts) = (replyCount, dropsTexts)
    (isIdempotent, outcome, secondStart) = (false, .last, 0)
  }

  /// Creates a transaction of commands. Its reply is an array of their replies. It is sent to the server of the first
  /// key.
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
    dropsTexts = commands.contains(where: \.dropsTexts)
    secondStart = 0
  }

  /// Creates the command that reads the expiry of a key.
  init(reading date: DateCommand, _ key: Word) {
    var keyRange: Range<Int>?
    bytes = .written(date.size + RedisWriter.size(of: key)) { writer in
      date.write(to: &writer)
      keyRange = writer.write(key)
    }
    self.keyRange = keyRange
    isIdempotent = true
    replyCount = 1
    outcome = .last
    dropsTexts = false
    secondStart = 0
  }

  /// Creates commands that read the value of a key and its expiry, and are sent together. The reply is an array of both
  /// replies. Commands of other clients may come between.
  init(reading value: StaticString, _ date: DateCommand, _ key: Word) {
    var keyRange: Range<Int>?
    var secondStart = 0
    let size = RedisWriter.size(ofName: value) + date.size + 2 * RedisWriter.size(of: key)
    bytes = .written(size) { writer in
      writer.write(value, words: 1)
      let start = writer.count
      keyRange = writer.write(key)
      secondStart = writer.count
      date.write(to: &writer)
      writer.writeAgain(start..<secondStart)
    }
    (self.keyRange, self.secondStart) = (keyRange, secondStart)
    isIdempotent = true
    replyCount = 2
    outcome = .all
    dropsTexts = false
  }

  /// Creates a command that reads the values of several keys, followed by a command for the expiry of each key. They
  /// are sent together, and the reply is an array of all replies. Commands of other clients may come between.
  init(reading values: StaticString, _ date: DateCommand, _ keys: [Word]) {
    var keyRange: Range<Int>?
    let size = keys.reduce(RedisWriter.size(ofName: values)) { size, key in
      size + 2 * RedisWriter.size(of: key) + date.size
    }
    bytes = .written(size) { writer in
      writer.write(values, words: keys.count)
      // The offset of each word, and the end of the last.
      var places = [writer.count]
      places.reserveCapacity(keys.count + 1)
      for key in keys {
        let range = writer.write(key)
        keyRange = keyRange ?? range
        places.append(writer.count)
      }
      if keys.isEmpty { return }
      let head = writer.count
      date.write(to: &writer)
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
    dropsTexts = false
    secondStart = 0
  }

  /// Creates a part of another command.
  private init(_ bytes: ArraySlice<UInt8>, of other: RedisCommand) {
    self.bytes = Array(bytes)
    (isIdempotent, replyCount, outcome) = (other.isIdempotent, 1, .last)
    dropsTexts = other.dropsTexts
    (keyRange, secondStart) = (nil, 0)
  }

  /// The single commands, each of which needs an `ASKING` if the key's slot is being moved.
  var parts: [RedisCommand] {
    if secondStart == 0 { return [self] }
    return [RedisCommand(bytes[..<secondStart], of: self), RedisCommand(bytes[secondStart...], of: self)]
  }

  /// The bytes of the key that selects a cluster's node.
  var key: ArraySlice<UInt8>? { keyRange.map { bytes[$0] } }

  /// The bytes of the known keys that the command changes.
  var keysWritten: [ArraySlice<UInt8>] {
    isIdempotent ? [] : ([keyRange].compactMap { $0 } + laterKeyRanges).map { bytes[$0] }
  }
}

extension RedisCommand {
  /// How the replies to several commands are combined. The first refusal, if any, is the reply.
  enum Outcome: Sendable {
    /// The last reply.
    case last
    /// An array of all replies.
    case all

    func reply(_ replies: ArraySlice<RESPValue>) -> RESPValue {
      if replies.count == 1, self != .all { return replies[replies.startIndex] }
      for reply in replies { if case .error = reply { return reply } }
      return self == .all ? .array(Array(replies)) : replies.last ?? .null
    }
  }

  /// A word of a command: text, a number or bytes. The server receives bytes.
  enum Word: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case integer(Int)
    case bytes(Data)
    case raw([UInt8])
    /// A prefix shared by many words, then a text.
    case prefixed([UInt8], String)

    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .integer(number) }
  }
}

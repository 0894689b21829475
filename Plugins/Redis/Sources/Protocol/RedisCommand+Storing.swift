#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RedisCommand {
  /// The condition under which a value is stored.
  enum Condition {
    /// The key is absent: `SET … NX`.
    case inPlaceOfNothing
    /// The key is absent or holds a string, which the server returns: `SET … GET`.
    case inPlaceOfText
    /// The key is absent or holds a string, which the server returns, and the value does not expire: `GETSET`. A server
    /// needs 13 % fewer instructions for it than for `SET … GET`, which it translates for its replicas.
    case inPlaceOfTextForEver

    fileprivate var option: StaticString? {
      switch self {
      case .inPlaceOfNothing: "NX"
      case .inPlaceOfText: "GET"
      case .inPlaceOfTextForEver: nil
      }
    }

    /// Whether the reply is the old value, which no caller needs.
    fileprivate var returnsText: Bool { self != .inPlaceOfNothing }
  }

  /// A value to be stored under a key.
  struct NewValue: Sendable {
    let key: Word
    let value: Data
    var life: Life
    var condition: Condition?

    /// The maximum size of the command.
    fileprivate var size: Int {
      RedisWriter.size(ofName: "GETSET") + RedisWriter.size(of: key) + RedisWriter.size(of: .bytes(value))
        + 4 * RedisWriter.size(of: .integer(0))
    }

    /// Returns the range of the key.
    fileprivate func write(to writer: inout RedisWriter) -> Range<Int> {
      let name: StaticString = condition == .inPlaceOfTextForEver ? "GETSET" : "SET"
      let life = life.option
      let option = condition?.option
      writer.write(name, words: 2 + (life == nil ? 0 : 2) + (option == nil ? 0 : 1))
      let keyRange = writer.write(key)
      _ = writer.write(.bytes(value))
      if let life {
        writer.write(life.name)
        _ = writer.write(.integer(life.number))
      }
      if let option { writer.write(option) }
      return keyRange
    }
  }

  /// Creates the command that stores a value under a key.
  init(set key: Word, to value: Data, _ life: Life, _ condition: Condition? = nil) {
    self.init(NewValue(key: key, value: value, life: life, condition: condition))
  }

  /// Creates the command that stores a value.
  init(_ value: NewValue) {
    var keyRange: Range<Int>?
    let bytes = [UInt8].written(value.size) { keyRange = value.write(to: &$0) }
    self.init(writing: bytes, keyRange, replyCount: 1, dropsTexts: value.condition?.returnsText == true)
  }

  /// Creates the command that stores a value. With a command `before` or `after`, it is a transaction, whose reply is
  /// an array of all replies.
  init(_ value: NewValue, before: RedisCommand?, after: RedisCommand?) {
    guard before != nil || after != nil else {
      self.init(value)
      return
    }
    self.init([value][...], [.begin] + [before].compactMap { $0 }, [after].compactMap { $0 } + [.end])
  }

  /// The minimum size of the parts of a transaction, except the last part.
  static let partSize = 1 << 20

  /// Returns a transaction that stores values, between other commands, as few parts that are sent together. The reply
  /// to the last part is an array of the replies to all commands.
  ///
  /// A batch of many small values is encoded at once: separate commands would be copied again when they are sent. The
  /// parts of a large batch are sent without being copied, so that it is in memory twice, not three times.
  static func transaction(
    _ before: [RedisCommand], storing values: [NewValue], _ after: [RedisCommand]
  ) -> [RedisCommand] {
    var parts: [RedisCommand] = []
    var start = 0
    while start < values.count {
      var end = start
      var size = 0
      while end < values.count, size < partSize {
        size += values[end].size
        end += 1
      }
      parts.append(
        RedisCommand(
          values[start..<end], start == 0 ? [.begin] + before : [],
          end == values.count ? after + [.end] : []))
      start = end
    }
    return parts
  }

  /// Creates a command that stores values, between other commands.
  private init(_ values: ArraySlice<NewValue>, _ before: [RedisCommand], _ after: [RedisCommand]) {
    var size = (before + after).reduce(0) { $0 + $1.bytes.count }
    for value in values { size += value.size }
    var keys: [Range<Int>] = []
    keys.reserveCapacity(values.count)
    let bytes = [UInt8].written(size) { writer in
      for command in before { writer.write(encoded: command.bytes) }
      for value in values { keys.append(value.write(to: &writer)) }
      for command in after { writer.write(encoded: command.bytes) }
    }
    self.init(
      writing: bytes, keys.first, keys.dropFirst(), replyCount: before.count + values.count + after.count,
      dropsTexts: values.contains { $0.condition?.returnsText == true })
  }
}

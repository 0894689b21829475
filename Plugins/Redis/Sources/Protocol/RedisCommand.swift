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
  /// Whether it may be sent again when the connection is lost before the reply: doing it twice changes nothing more.
  let isIdempotent: Bool
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

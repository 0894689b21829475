#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decodes a server's replies from bytes that arrive in pieces of any size.
///
/// No byte is decoded twice: a partial reply is continued where it ended. The memory that a server can make it use is
/// bounded.
struct RESPDecoder: ~Copyable {
  /// Limits on the replies of a server.
  struct Limits: Sendable {
    /// The maximum nesting of replies.
    var depth = 32
    /// The maximum length of a line: a number, a short text, an error.
    var line = 64 << 10
    /// The maximum size of one reply in memory, including its elements.
    var size = 1 << 30
    /// Whether a larger reply is read to its end, discarded, and replaced by an error. Otherwise it is malformed.
    var dropsLarger = false
  }

  /// The length above which a text is moved out of the receive buffer before it is complete.
  private static let largeText = 1 << 18
  /// The length up to which a text is stored inline, and the memory that a longer text needs besides its bytes.
  private static let inlineText = 14
  private static let textOverhead = 96

  /// The error for bytes that are not valid replies. Nothing can be decoded after them.
  struct Malformed: Error, Hashable { let reason: String }

  private let limits: Limits
  private var buffer: ReceiveBuffer
  /// Aggregates whose elements are incomplete, the outermost first.
  private var frames: [Frame] = []
  /// A text whose length has been read. Whether it is dropped is decided once, though `dropsTexts` may change while it
  /// arrives.
  private var blob: (kind: UInt8, length: Int, isDropped: Bool)?
  /// The bytes of a large text that have arrived.
  private var beginning = Data()
  /// The number of bytes of a discarded text that have arrived.
  private var dropped = 0
  /// Whether the current reply exceeds the limit and is discarded.
  private var isTooLarge = false
  /// The number of bytes from the start that were searched for a line end.
  private var searched = 0
  private var size = 0
  private var flaw: Malformed?
  /// Whether texts are decoded as empty ones, except in pushes: creating their values would take most of the time.
  var dropsTexts = false

  init(limits: Limits = Limits(), bufferSize: Int = 64 << 10) {
    self.limits = limits
    buffer = ReceiveBuffer(usualSize: bufferSize)
  }

  /// Passes free space to `read`, and keeps the number of bytes that `read` returns.
  @discardableResult
  mutating func receive(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int { buffer.fill(read) }

  /// Returns the next complete reply, or `nil` if it has not arrived yet.
  mutating func next() throws(Malformed) -> RESPValue? {
    if let flaw { throw flaw }
    do {
      while let token = try token() {
        if let value = try place(token) {
          size = 0
          if !isTooLarge { return value }
          isTooLarge = false
          return .error(.tooLarge(limits.size))
        }
      }
      return nil
    } catch {
      flaw = error
      throw error
    }
  }

  private enum Token {
    case value(RESPValue)
    case start(Frame.Kind, elements: Int)
  }

  /// Adds a token to the innermost open aggregate. Returns the outermost reply when it is complete.
  private mutating func place(_ token: Token) throws(Malformed) -> RESPValue? {
    var value: RESPValue
    switch token {
    case .value(let read): value = read
    case .start(let kind, let count):
      if kind == .push, !frames.isEmpty { throw Malformed(reason: "a push inside of a reply") }
      if count > 0 {
        guard frames.count < limits.depth else { throw Malformed(reason: "replies nested too deeply") }
        frames.append(Frame(kind, count))
        return nil
      }
      guard let empty = kind.value([]) else { return nil }
      value = empty
    }
    while let last = frames.indices.last {
      frames[last].append(value, isDropped: isTooLarge)
      guard frames[last].isComplete else { return nil }
      // An attribute is discarded; the value that it describes follows.
      guard let whole = frames.removeLast().value else { return nil }
      value = whole
    }
    return value
  }

  private mutating func token() throws(Malformed) -> Token? {
    if let blob { return try body(blob.kind, blob.length, blob.isDropped) }
    guard let end = try lineEnd() else { return nil }
    let kind = buffer[0]
    let content = 1..<end - 1
    let token = try token(kind, content)
    buffer.drop(end + 1)
    searched = 0
    if token == nil, let blob { return try body(blob.kind, blob.length, blob.isDropped) }
    return token
  }

  /// Decodes a line. Returns `nil` if it is the head of a text, which is stored in `blob`.
  private mutating func token(_ kind: UInt8, _ content: Range<Int>) throws(Malformed) -> Token? {
    try count(content.count)
    switch kind {
    case UInt8(ascii: "+"): return .value(.simple(buffer.status(content)))
    case UInt8(ascii: "-"): return .value(.error(RedisReplyError(buffer.text(content))))
    case UInt8(ascii: ":"): return .value(.integer(try number(content)))
    case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "="):
      guard let length = try length(content) else { return .value(.null) }
      try count(length)
      blob = (kind, length, dropsTexts && kind == UInt8(ascii: "$") && frames.first?.isPush != true)
      return nil
    case UInt8(ascii: "_"): return .value(.null)
    case UInt8(ascii: ","):
      guard let number = Double(buffer.text(content)) else { throw malformed("a number", content) }
      return .value(.double(number))
    case UInt8(ascii: "#"):
      switch buffer.text(content) {
      case "t": return .value(.boolean(true))
      case "f": return .value(.boolean(false))
      default: throw malformed("t or f", content)
      }
    case UInt8(ascii: "("): return .value(.bigNumber(buffer.text(content)))
    default:
      guard let kind = Frame.Kind(rawValue: kind) else {
        throw Malformed(reason: "no reply begins with the byte \(kind)")
      }
      guard let count = try length(content) else { return .value(.null) }
      // Each element takes at least a byte, so the multiplication does not overflow.
      guard count <= limits.size else { throw Malformed(reason: "a reply of \(count) elements") }
      return .start(kind, elements: count * kind.width)
    }
  }

  /// Decodes a text and the line end after it.
  private mutating func body(_ kind: UInt8, _ length: Int, _ isDropped: Bool) throws(Malformed) -> Token? {
    if isTooLarge { return try dropBody(length, for: .null) }
    if isDropped { return try dropBody(length, for: .bulk(Data())) }
    if kind == UInt8(ascii: "$"), length > Self.largeText { return try largeBody(length) }
    guard buffer.count >= length + 2 else { return nil }
    let value: RESPValue
    switch kind {
    case UInt8(ascii: "!"): value = .error(RedisReplyError(buffer.text(0..<length)))
    case UInt8(ascii: "="):
      guard length >= 4, buffer[3] == UInt8(ascii: ":") else {
        throw Malformed(reason: "a verbatim text without a format")
      }
      value = .verbatim(format: buffer.text(0..<3), buffer.data(4..<length))
    default: value = .bulk(buffer.data(0..<length))
    }
    try endBody(at: length)
    return .value(value)
  }

  /// Moves the received bytes of a large text out of the buffer, so that it is in memory once.
  private mutating func largeBody(_ length: Int) throws(Malformed) -> Token? {
    let part = min(buffer.count, length - beginning.count)
    beginning.append(buffer.data(0..<part))
    buffer.drop(part)
    guard beginning.count == length, buffer.count >= 2 else { return nil }
    try endBody(at: 0)
    defer { beginning = Data() }
    return .value(.bulk(beginning))
  }

  /// Drops a text as it arrives.
  private mutating func dropBody(_ length: Int, for value: RESPValue) throws(Malformed) -> Token? {
    let part = min(buffer.count, length - dropped)
    buffer.drop(part)
    dropped += part
    guard dropped == length, buffer.count >= 2 else { return nil }
    dropped = 0
    try endBody(at: 0)
    return .value(value)
  }

  private mutating func endBody(at place: Int) throws(Malformed) {
    guard buffer[place] == 0x0D, buffer[place + 1] == 0x0A else {
      throw Malformed(reason: "a text is longer than its stated length")
    }
    buffer.drop(place + 2)
    blob = nil
  }

  /// Returns the index of the line feed of the first line.
  private mutating func lineEnd() throws(Malformed) -> Int? {
    guard let end = buffer.lineFeed(from: searched) else {
      searched = buffer.count
      if searched > limits.line { throw Malformed(reason: "a line of more than \(limits.line) bytes") }
      return nil
    }
    // A line has at least its first byte and a carriage return.
    guard end >= 2, buffer[end - 1] == 0x0D else {
      throw Malformed(
        reason: "a line feed without a carriage return")
    }
    if end > limits.line { throw Malformed(reason: "a line of more than \(limits.line) bytes") }
    return end
  }

  /// Decodes the length in a line; `nil` for -1, which means null.
  private func length(_ content: Range<Int>) throws(Malformed) -> Int? {
    let length = try number(content)
    if length == -1 { return nil }
    guard length >= 0 else { throw malformed("a length", content) }
    return length
  }

  private func number(_ content: Range<Int>) throws(Malformed) -> Int {
    if let number = buffer.smallNumber(content) { return number }
    var digits = content
    let sign = content.isEmpty ? 0 : buffer[content.lowerBound]
    let isNegative = sign == UInt8(ascii: "-")
    if isNegative || sign == UInt8(ascii: "+") { digits.removeFirst() }
    var number = 0
    for place in digits {
      let digit = Int(buffer[place]) - 0x30
      guard 0...9 ~= digit else { throw malformed("a number", content) }
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) =
        isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if isTooLarge || overflows { throw malformed("a number of 64 bits", content) }
      number = sum
    }
    if digits.isEmpty { throw malformed("a number", content) }
    return number
  }

  /// Counts the memory of a value, including its overhead.
  private mutating func count(_ bytes: Int) throws(Malformed) {
    let own = bytes > Self.inlineText ? Self.textOverhead : 0
    let (sum, overflows) = size.addingReportingOverflow(bytes)
    size = sum &+ MemoryLayout<RESPValue>.stride &+ own
    guard overflows || size > limits.size else { return }
    size = limits.size
    guard limits.dropsLarger, frames.first?.isPush != true else {
      throw Malformed(reason: "a reply of more than \(limits.size) bytes")
    }
    isTooLarge = true
    for index in frames.indices { frames[index].drop() }
  }

  private func malformed(_ expected: String, _ content: Range<Int>) -> Malformed {
    Malformed(reason: "\(String(reflecting: buffer.text(content.prefix(40)))) is not \(expected)")
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Edits a line that is typed on a terminal, with history and completion. Prints nothing.
struct LineEditor {
  /// A key of the keyboard, an interruption, the key for the end of the input, or the end of the terminal itself.
  enum Key: Equatable {
    case character(Character)
    case enter, tab, left, right, up, down, home, end, backspace, delete
    case killLine, killRest, killWord
    case interrupt, endOfInput, hangUp, none
  }

  private(set) var line: [Character] = []
  private(set) var cursor = 0
  private let history: [String]
  private var place: Int
  /// The typed line while an older one is shown, so that it can be shown again.
  private var typed: [Character] = []

  init(history: [String]) {
    self.history = history
    place = history.count
  }

  var text: String { String(line) }

  /// Applies a key to the line and the cursor.
  mutating func press(_ key: Key) {
    switch key {
    case .character(let character):
      line.insert(character, at: cursor)
      cursor += 1
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(line.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = line.count
    case .backspace:
      if cursor > 0 {
        cursor -= 1
        line.remove(at: cursor)
      }
    case .delete: if cursor < line.count { line.remove(at: cursor) }
    case .killLine:
      line.removeFirst(cursor)
      cursor = 0
    case .killRest: line.removeLast(line.count - cursor)
    case .killWord:
      let start =
        line[..<cursor].lastIndex { $0 != " " }.flatMap { line[..<$0].lastIndex(of: " ") }.map { $0 + 1 } ?? 0
      line.removeSubrange(start..<cursor)
      cursor = start
    case .up: recall(place - 1)
    case .down: recall(place + 1)
    case .enter, .tab, .interrupt, .endOfInput, .hangUp, .none: break
    }
  }

  private mutating func recall(_ wanted: Int) {
    guard (0...history.count).contains(wanted) else { return }
    if place == history.count { typed = line }
    place = wanted
    line = wanted == history.count ? typed : Array(history[wanted])
    cursor = line.count
  }

  /// Replaces the word before the cursor by the longest common beginning of the words that complete it. Returns these
  /// words if that adds nothing, so that they can be offered.
  mutating func complete(with words: [String], from start: Int) -> [String] {
    guard let first = words.first else { return [] }
    let common = words.dropFirst().reduce(Array(first)) { common, word in
      Array(zip(common, word).prefix { $0 == $1 }.map(\.0))
    }
    let isOnly = words.count == 1
    let new = common + (isOnly && common.last != "/" && common.last != ":" ? [" "] : [])
    if new.count <= cursor - start, !isOnly { return words }
    line.replaceSubrange(start..<cursor, with: new)
    cursor = start + new.count
    return []
  }
}

/// Standard input as a terminal that delivers each key at once. The end of this value restores the terminal's settings.
struct RawTerminal: ~Copyable {
  private var settings = termios()

  init() {
    tcgetattr(STDIN_FILENO, &settings)
    var raw = settings
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
  }

  deinit {
    var settings = settings
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Returns the next byte if one has been typed. Never waits.
  func typed() -> UInt8? {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0 ? byte() : nil
  }

  /// Waits for the next key and returns it.
  func key() -> LineEditor.Key {
    guard let byte = byte() else { return .hangUp }
    switch byte {
    case 0x01: return .home
    case 0x03: return .interrupt
    case 0x04: return .endOfInput
    case 0x05: return .end
    case 0x08, 0x7F: return .backspace
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 0x0B: return .killRest
    case 0x0E: return .down
    case 0x10: return .up
    case 0x15: return .killLine
    case 0x17: return .killWord
    case 0x1B: return escape()
    case 0..<0x20: return .none
    default: return character(byte)
    }
  }

  private func escape() -> LineEditor.Key {
    guard byte() == UInt8(ascii: "["), let code = byte() else { return .none }
    switch code {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "3"): return byte() == UInt8(ascii: "~") ? .delete : .none
    default: return .none
    }
  }

  private func character(_ first: UInt8) -> LineEditor.Key {
    var bytes = [first]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    while bytes.count < length, let byte = byte() { bytes.append(byte) }
    guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
      return .none
    }
    return .character(character)
  }

  private func byte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 1 { return byte }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}

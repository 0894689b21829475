/// A pattern for keys, with the syntax of shells' file patterns: `*`, `?`, `[a-z]` and `[!a]`. A backslash makes the
/// next character stand for itself.
struct Pattern: Sendable {
  private enum Part: Sendable {
    case text(Character)
    case one
    case many
    case among([ClosedRange<Character>], isNegated: Bool)
  }

  private let parts: [Part]

  init(_ text: String) throws(Failure) {
    var parts: [Part] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "*": if case .many = parts.last {} else { parts.append(.many) }
      case "?": parts.append(.one)
      case "[": parts.append(try Self.range(&rest, text))
      case "\\": parts.append(.text(rest.popFirst() ?? "\\"))
      default: parts.append(.text(character))
      }
    }
    self.parts = parts
  }

  private static func range(_ rest: inout Substring, _ whole: String) throws(Failure) -> Part {
    var ranges: [ClosedRange<Character>] = []
    let isNegated = rest.first == "!" || rest.first == "^"
    if isNegated { rest.removeFirst() }
    while let lower = rest.popFirst() {
      if lower == "]", !ranges.isEmpty { return .among(ranges, isNegated: isNegated) }
      if rest.first == "-", let upper = rest.dropFirst().first, upper != "]" {
        rest.removeFirst(2)
        guard lower <= upper else { throw .usage("“\(whole)” has a range that ends before it begins") }
        ranges.append(lower...upper)
      } else {
        ranges.append(lower...lower)
      }
    }
    throw .usage("“\(whole)” has a [ without a ]")
  }

  /// Returns whether the whole key matches the pattern.
  func matches(_ key: String) -> Bool {
    let key = Array(key)
    var (place, part) = (0, 0)
    // The position to try again from if the rest does not match: the last star then stands for one more character.
    var again: (place: Int, part: Int)?
    while place < key.count {
      if part < parts.count, case .many = parts[part] {
        part += 1
        again = (place, part)
      } else if part < parts.count, Self.matches(parts[part], key[place]) {
        place += 1
        part += 1
      } else if let (start, after) = again {
        again = (start + 1, after)
        (place, part) = (start + 1, after)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .many = $0 { true } else { false } }
  }

  private static func matches(_ part: Part, _ character: Character) -> Bool {
    switch part {
    case .text(let wanted): character == wanted
    case .one, .many: true
    case .among(let ranges, let isNegated): ranges.contains { $0.contains(character) } != isNegated
    }
  }
}

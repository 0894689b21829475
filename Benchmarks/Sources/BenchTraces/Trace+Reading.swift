#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Trace {
  /// Reads a file with one key per line, plain or compressed by gzip. A key is any text; blank lines are skipped.
  ///
  /// With costs, each line ends in a space or a tab and the entry's cost, a whole number from 0.
  public init(path: String, hasCosts: Bool = false) throws(TraceError) {
    let file = URL(filePath: path).lastPathComponent
    let name = file.split(separator: ".", omittingEmptySubsequences: true).first.map(String.init) ?? file
    self.init(name: name, hasCosts: hasCosts)
    var numbers: [String: Int32] = [:]
    var reader = try LineReader(path: path)
    var line: [UInt8] = []
    var lineNumber = 0
    while try reader.read(into: &line) {
      lineNumber += 1
      let text = Self.trimmed(Substring(decoding: line, as: UTF8.self))
      if text.isEmpty { continue }
      let (key, cost) = hasCosts ? try Self.split(text, at: "\(path), line \(lineNumber)") : (text, 1)
      let next = Int32(numbers.count)
      let number = numbers[key, default: next]
      if number == next { numbers[key] = next }
      add(number, cost: cost)
    }
    guard !requests.isEmpty else {
      throw TraceError("\(path) contains no requests: it needs one key per line")
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character.isWhitespace && !character.isNewline }
    guard let last = text.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(text[...last].drop(while: isBlank))
  }

  private static func split(_ text: String, at place: String) throws(TraceError) -> (String, Int) {
    guard let space = text.lastIndex(where: { $0 == " " || $0 == "\t" }),
      let cost = Int(text[text.index(after: space)...]), cost >= 0
    else {
      throw TraceError(
        "\(place): the line must be a key, a space or a tab, and a cost from 0, not \"\(text)\"")
    }
    return (trimmed(text[..<space]), cost)
  }
}

/// Splits lines of the shell into words, and quotes words.
enum Words {
  /// Returns the words of a line, without quotes and backslashes, or `nil` if a quote is not closed.
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"", let next = rest.popFirst() {
          word = (word ?? "") + String(next)
        } else {
          word = (word ?? "") + String(character)
        }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == "\\", let next = rest.popFirst() {
        word = (word ?? "") + String(next)
      } else if character == " " || character == "\t" {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if quote != nil { return nil }
    return words + (word.map { [$0] } ?? [])
  }

  /// Returns a word in quotes if `split` would otherwise change it.
  static func quoted(_ word: String) -> String {
    if !word.isEmpty, !word.contains(where: { " \t'\"\\".contains($0) }) { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}

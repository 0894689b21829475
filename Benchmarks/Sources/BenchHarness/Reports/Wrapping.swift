extension String {
  /// The text with each line that is too long broken at spaces. A word that is longer than a line stays whole.
  public func wrapped(columns: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.count <= columns { return String(line) }
      var lines: [String] = []
      for word in line.split(separator: " ") {
        if let last = lines.last, last.count + 1 + word.count <= columns {
          lines[lines.count - 1] = "\(last) \(word)"
        } else {
          lines.append(String(word))
        }
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

/// A picture of reports, one below the other: for each second the number of answers by kind.
struct Picture {
  private let width = 900
  private let height = 150
  private let left = 60

  func svg(_ reports: [Report]) -> String {
    let total = forecast.reduce(0) { $0 + $1.seconds }
    var body = ""
    for (index, report) in reports.enumerated() {
      body += panel(report, top: 40 + index * (height + 60), total)
    }
    let size = (width + left + 20, 40 + reports.count * (height + 60))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size.0) \(size.1)" font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      \(body)</svg>

      """
  }

  private func panel(_ report: Report, top: Int, _ total: Int) -> String {
    var text = "<text x=\"\(left)\" y=\"\(top - 8)\" font-weight=\"bold\">\(report.name)</text>\n"
    var start = 0
    for part in forecast {
      let x = x(start, total)
      let width = self.x(start + part.seconds, total) - x
      if part.weather != .healthy {
        text += "<rect x=\"\(x)\" y=\"\(top)\" width=\"\(width)\" height=\"\(height)\" fill=\"#f2f2f2\"/>\n"
      }
      text +=
        "<text x=\"\(x + 3)\" y=\"\(top + height + 14)\" fill=\"#666\">\(part.weather.rawValue)</text>\n"
      start += part.seconds
    }
    let seconds = Dictionary(grouping: report.outcomes, by: \.second)
    for second in 0..<total {
      var bottom = top + height
      for (answer, colour) in [(Outcome.Answer.fresh, "#3a7d44"), (.stale, "#e0a030"), (.failed, "#c0392b")] {
        let outcomes = seconds[second] ?? []
        let part = outcomes.count { $0.answer == answer } * height / max(outcomes.count, 1)
        if part == 0 { continue }
        bottom -= part
        text +=
          "<rect x=\"\(x(second, total))\" y=\"\(bottom)\" width=\"3\" height=\"\(part)\" fill=\"\(colour)\"/>\n"
      }
    }
    return text + legend(top)
  }

  private func x(_ second: Int, _ total: Int) -> Int { left + second * width / total }

  private func legend(_ top: Int) -> String {
    var text = ""
    for (index, (name, colour)) in [("fresh", "#3a7d44"), ("stale", "#e0a030"), ("failed", "#c0392b")]
      .enumerated()
    {
      let y = top + 14 + 18 * index
      text += "<rect x=\"4\" y=\"\(y - 9)\" width=\"10\" height=\"10\" fill=\"\(colour)\"/>"
      text += "<text x=\"18\" y=\"\(y)\">\(name)</text>\n"
    }
    return text
  }
}

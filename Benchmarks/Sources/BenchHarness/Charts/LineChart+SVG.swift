import Foundation

extension LineChart {
  private static let width = 880.0
  private static let height = 520.0
  private static let plot = (left: 72.0, right: 690.0, top: 78.0, bottom: 452.0)
  /// Told apart also by those who do not see all colours.
  private static let colours = ["#0b5fa5", "#c8501e", "#2f8f5b", "#8a4fa3", "#a67c00", "#3aa0b5"]
  private static let ink = "#1d2733"
  private static let muted = "#66717e"

  /// The chart as an SVG document that needs nothing beside it.
  public var svg: String {
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" \
      width="\(Int(Self.width))" height="\(Int(Self.height))" role="img" \
      font-family="Helvetica, Arial, sans-serif" font-size="13">
      """,
      "<title>\(Self.escaped(title))</title>",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
      text(title, x: Self.plot.left, y: 30, size: 19, weight: "bold"),
      text(subtitle, x: Self.plot.left, y: 52, colour: Self.muted),
    ]
    lines += grid
    for (index, series) in series.enumerated() { lines += draw(series, colour: colour(index)) }
    lines += notes.flatMap(draw)
    lines += labels
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private var grid: [String] {
    let plot = Self.plot
    var lines: [String] = []
    for tick in y.ticks {
      let height = place(y: tick)
      lines.append(line(plot.left, height, plot.right, height, "#e3e7eb"))
      lines.append(
        text(Axis.label(tick), x: plot.left - 10, y: height + 4.5, colour: Self.muted, anchor: "end"))
    }
    for tick in x.ticks {
      let across = place(x: tick)
      lines.append(line(across, plot.bottom, across, plot.bottom + 5, Self.muted))
      lines.append(
        text(Axis.label(tick), x: across, y: plot.bottom + 21, colour: Self.muted, anchor: "middle"))
    }
    lines.append(line(plot.left, plot.bottom, plot.right, plot.bottom, Self.muted))
    lines.append(
      text(x.title, x: (plot.left + plot.right) / 2, y: plot.bottom + 46, anchor: "middle"))
    lines.append(text(y.title, x: plot.left, y: plot.top - 10, colour: Self.ink))
    return lines
  }

  private func draw(_ series: Series, colour: String) -> [String] {
    let places = series.points.map { (x: place(x: $0.x), y: place(y: $0.y)) }
    switch series.style {
    case .points, .faintPoints:
      let radius = series.style == .points ? 5.0 : 3.0
      return places.map {
        """
        <circle cx="\(Self.number($0.x))" cy="\(Self.number($0.y))" r="\(Self.number(radius))" \
        fill="\(colour)" stroke="#ffffff" stroke-width="1"/>
        """
      }
    case .strong, .plain, .dashed:
      let path = places.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
      let dashes = series.style == .dashed ? " stroke-dasharray=\"6 5\"" : ""
      return [
        """
        <polyline points="\(path)" fill="none" stroke="\(colour)" stroke-linejoin="round" \
        stroke-width="\(series.style == .strong ? "3" : "1.8")"\(dashes)/>
        """
      ]
    }
  }

  private func draw(_ note: Note) -> [String] {
    let across = place(x: note.x)
    let height = place(y: note.y)
    // To the side where there is more room, and below the line, which rises.
    let isLeft = across < (Self.plot.left + Self.plot.right) / 2
    return [
      """
      <circle cx="\(Self.number(across))" cy="\(Self.number(height))" r="4.5" fill="#ffffff" \
      stroke="\(Self.ink)" stroke-width="1.6"/>
      """,
      text(
        note.text, x: across + (isLeft ? 9 : -9), y: height + 20, size: 12, anchor: isLeft ? "start" : "end"),
    ]
  }

  /// The names of the series at the right, each as near to the end of its line as its neighbours allow: the legend.
  private var labels: [String] {
    let room = 19.0
    var ends = series.indices.compactMap { index in
      series[index].points.last.map { (index: index, end: (x: place(x: $0.x), y: place(y: $0.y))) }
    }
    ends.sort { $0.end.y < $1.end.y }
    var heights = ends.map(\.end.y)
    for index in heights.indices.dropFirst() { heights[index] = max(heights[index], heights[index - 1] + room) }
    if let last = heights.last, last > Self.plot.bottom {
      heights[heights.count - 1] = Self.plot.bottom
      for index in heights.indices.dropLast().reversed() {
        heights[index] = min(heights[index], heights[index + 1] - room)
      }
    }
    return zip(ends, heights).flatMap { entry, height in
      let colour = colour(entry.index)
      let series = series[entry.index]
      return [
        line(entry.end.x + 6, entry.end.y, Self.plot.right + 18, height, "#c9d0d7"),
        swatch(series.style, colour, y: height),
        text(
          series.name, x: Self.plot.right + 50, y: height + 4.5, colour: colour,
          weight: series.style == .strong ? "bold" : "normal"),
      ]
    }
  }

  private func swatch(_ style: Style, _ colour: String, y: Double) -> String {
    let left = Self.plot.right + 20
    return draw(style, colour, from: left, to: left + 24, y: y)
  }

  private func draw(_ style: Style, _ colour: String, from left: Double, to right: Double, y: Double) -> String {
    switch style {
    case .points, .faintPoints:
      "<circle cx=\"\(Self.number((left + right) / 2))\" cy=\"\(Self.number(y))\" r=\"\(style == .points ? 5 : 3)\" fill=\"\(colour)\"/>"
    case .strong, .plain, .dashed:
      """
      <line x1="\(Self.number(left))" y1="\(Self.number(y))" x2="\(Self.number(right))" y2="\(Self.number(y))" \
      stroke="\(colour)" stroke-width="\(style == .strong ? "3" : "1.8")"\
      \(style == .dashed ? " stroke-dasharray=\"6 5\"" : "")/>
      """
    }
  }

  private func colour(_ index: Int) -> String {
    switch series[index].style {
    case .dashed: "#4a5560"
    case .faintPoints: "#a3adb7"
    default:
      Self.colours[
        series[..<index].count { $0.style != .dashed && $0.style != .faintPoints } % Self.colours.count]
    }
  }

  private func place(x value: Double) -> Double {
    Self.plot.left + x.place(value) * (Self.plot.right - Self.plot.left)
  }

  private func place(y value: Double) -> Double {
    Self.plot.bottom - y.place(value) * (Self.plot.bottom - Self.plot.top)
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String) -> String {
    """
    <line x1="\(Self.number(x1))" y1="\(Self.number(y1))" x2="\(Self.number(x2))" y2="\(Self.number(y2))" \
    stroke="\(colour)" stroke-width="1"/>
    """
  }

  private func text(
    _ text: String, x: Double, y: Double, size: Int = 13, colour: String = LineChart.ink,
    anchor: String = "start", weight: String = "normal"
  ) -> String {
    """
    <text x="\(Self.number(x))" y="\(Self.number(y))" font-size="\(size)" fill="\(colour)" \
    text-anchor="\(anchor)" font-weight="\(weight)">\(Self.escaped(text))</text>
    """
  }

  private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

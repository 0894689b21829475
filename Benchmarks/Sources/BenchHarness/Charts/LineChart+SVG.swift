extension LineChart {
  private static let plot = (left: 64.0, right: 690.0, top: 96.0, bottom: 462.0)
  /// The colours of strong series, and of all other series. Colour-blind readers can tell them apart too.
  private static let strongColours = ["#0b5fa5", "#58a6d6"]
  private static let plainColours = ["#c8501e", "#2f8f5b", "#8a4fa3", "#a67c00"]

  /// The chart as a self-contained SVG document.
  public var svg: String {
    let left = Self.plot.left - 40
    var elements = [
      SVG.text(title, at: (left, 32), size: 19, isBold: true),
      SVG.text(subtitle, at: (left, 54), colour: SVG.muted),
    ]
    elements += axes
    // Strong series are drawn last, on top.
    for index in series.indices where series[index].style != .strong { elements += draw(index) }
    for index in series.indices where series[index].style == .strong { elements += draw(index) }
    elements += notes.flatMap(draw) + legend
    let longest = series.map(\.name.count).max() ?? 0
    let width = max(880, Int(Self.plot.right) + 64 + longest * 8)
    return SVG.document(title: title, width: width, height: 530, elements)
  }

  private var axes: [String] {
    let plot = Self.plot
    var elements: [String] = []
    for tick in y.ticks {
      let height = place((0, tick)).y
      elements.append(SVG.line((plot.left, height), (plot.right, height), SVG.faint))
      elements.append(
        SVG.text(Axis.label(tick), at: (plot.left - 9, height + 4.5), colour: SVG.muted, anchor: "end"))
    }
    for tick in x.ticks {
      let across = place((tick, 0)).x
      elements.append(SVG.line((across, plot.bottom), (across, plot.bottom + 5), SVG.muted))
      elements.append(
        SVG.text(Axis.label(tick), at: (across, plot.bottom + 21), colour: SVG.muted, anchor: "middle"))
    }
    elements.append(SVG.line((plot.left, plot.bottom), (plot.right, plot.bottom), SVG.muted))
    elements.append(
      SVG.text(x.title, at: ((plot.left + plot.right) / 2, plot.bottom + 46), anchor: "middle"))
    elements.append(SVG.text(y.title, at: (plot.left - 40, plot.top - 14)))
    return elements
  }

  private func draw(_ index: Int) -> [String] {
    Self.mark(series[index].style, colour(index), series[index].points.map(place))
  }

  private static func mark(_ style: Style, _ colour: String, _ places: [SVG.Place]) -> [String] {
    switch style {
    case .strong: [SVG.path(places, colour, width: 3, isDashed: false)]
    case .plain: [SVG.path(places, colour, width: 1.8, isDashed: false)]
    case .dashed: [SVG.path(places, colour, width: 1.8, isDashed: true)]
    case .points: places.map { SVG.dot($0, radius: 5, fill: colour, stroke: "#ffffff") }
    case .faintPoints: places.map { SVG.dot($0, radius: 3.2, fill: colour, stroke: "#ffffff") }
    }
  }

  /// Draws a note next to a point of a rising line: above left, or below right if there is no room.
  private func draw(_ note: Note) -> [String] {
    let place = place((note.x, note.y))
    let hasRoom = place.x - Double(note.text.count) * 7 > Self.plot.left
    return [
      SVG.dot(place, radius: 4.5, fill: "#ffffff", stroke: SVG.ink),
      hasRoom
        ? SVG.text(note.text, at: (place.x - 8, place.y - 10), size: 12, anchor: "end", hasHalo: true)
        : SVG.text(note.text, at: (place.x + 10, place.y + 17), size: 12, hasHalo: true),
    ]
  }

  /// The names of the series on the right, each as near to the end of its line as possible.
  private var legend: [String] {
    let ends = series.indices.compactMap { index in
      series[index].points.last.map { (index: index, place: place($0)) }
    }.sorted { $0.place.y < $1.place.y }
    let left = Self.plot.right + 24
    return zip(ends, Self.spread(ends.map(\.place.y))).flatMap { end, height in
      let style = series[end.index].style
      let colour = colour(end.index)
      let isLine = style != .points && style != .faintPoints
      let places = isLine ? [(left, height), (left + 24, height)] : [(left + 12, height)]
      return (isLine ? [SVG.line((end.place.x + 4, end.place.y), (left - 4, height), "#c9d0d7")] : [])
        + Self.mark(style, colour, places)
        + [
          SVG.text(
            series[end.index].name, at: (left + 32, height + 4.5),
            colour: style == .faintPoints ? SVG.muted : colour, isBold: style == .strong)
        ]
    }
  }

  /// Moves sorted heights apart until a line of text fits between neighbours.
  private static func spread(_ heights: [Double]) -> [Double] {
    let room = 20.0
    var heights = heights
    for index in heights.indices.dropFirst() {
      heights[index] = max(heights[index], heights[index - 1] + room)
    }
    var floor = plot.bottom
    for index in heights.indices.reversed() {
      heights[index] = min(heights[index], floor)
      floor = heights[index] - room
    }
    return heights
  }

  private func colour(_ index: Int) -> String {
    func chosen(from colours: [String]) -> String {
      let style = series[index].style
      let isStrong = style == .strong
      let before = series[..<index].count {
        ($0.style == .strong) == isStrong && $0.style != .dashed && $0.style != .faintPoints
      }
      return colours[before % colours.count]
    }
    return switch series[index].style {
    case .strong: chosen(from: Self.strongColours)
    case .plain, .points: chosen(from: Self.plainColours)
    case .dashed: "#4a5560"
    case .faintPoints: "#a3adb7"
    }
  }

  private func place(_ point: (x: Double, y: Double)) -> SVG.Place {
    let plot = Self.plot
    return (
      plot.left + x.place(point.x) * (plot.right - plot.left),
      plot.bottom - y.place(point.y) * (plot.bottom - plot.top)
    )
  }
}

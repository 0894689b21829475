/// Lines and points over two axes.
public struct LineChart: Sendable {
  /// How a series stands out.
  public enum Style: Sendable {
    /// The line that the chart is about.
    case strong
    /// A line to compare with.
    case plain
    /// A bound, which nothing can cross.
    case dashed
    /// Values that are known at a few places only.
    case points
    /// The same, for what is only background.
    case faintPoints
  }

  /// Values that belong together.
  public struct Series: Sendable {
    /// The name at its end.
    public let name: String
    /// How it is drawn.
    public let style: Style
    /// Its values, in the order of their places along the horizontal axis.
    public let points: [(x: Double, y: Double)]

    /// Makes a series.
    public init(_ name: String, _ style: Style, _ points: [(x: Double, y: Double)]) {
      self.name = name
      self.style = style
      self.points = points
    }
  }

  /// A place with words.
  public struct Note: Sendable {
    let x: Double
    let y: Double
    let text: String

    /// Makes a note.
    public init(x: Double, y: Double, _ text: String) {
      self.x = x
      self.y = y
      self.text = text
    }
  }

  /// What the chart shows.
  public let title: String
  /// What else is to be known, in one line.
  public let subtitle: String
  /// The horizontal axis.
  public let x: Axis
  /// The vertical axis.
  public let y: Axis
  /// What is drawn.
  public let series: [Series]
  /// Places with words.
  public let notes: [Note]

  /// Makes a chart; axes without a range take that of what is drawn.
  public init(
    _ title: String, subtitle: String = "", x: Axis, y: Axis, series: [Series], notes: [Note] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.x = x.fitting(series.flatMap { $0.points.map(\.x) })
    self.y = y.fitting(series.flatMap { $0.points.map(\.y) })
    self.series = series
    self.notes = notes
  }
}

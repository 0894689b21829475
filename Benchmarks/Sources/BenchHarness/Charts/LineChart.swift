/// A chart of lines and points on two axes.
public struct LineChart: Sendable {
  /// The style of a series.
  public enum Style: Sendable {
    /// The line that is the subject of the chart.
    case strong
    /// A line to compare with.
    case plain
    /// A bound that no series can cross.
    case dashed
    /// Values known at a few positions only.
    case points
    /// Points in a faint color, for the background.
    case faintPoints
  }

  /// A named series of values.
  public struct Series: Sendable {
    /// The name, shown at the end of the line.
    public let name: String
    /// The style of the line and its points.
    public let style: Style
    /// The points, by ascending x.
    public let points: [(x: Double, y: Double)]

    /// Creates a series.
    public init(_ name: String, _ style: Style, _ points: [(x: Double, y: Double)]) {
      self.name = name
      self.style = style
      self.points = points
    }
  }

  /// A text at a point.
  public struct Note: Sendable {
    let x: Double
    let y: Double
    let text: String

    /// Creates a label at a point.
    public init(x: Double, y: Double, _ text: String) {
      self.x = x
      self.y = y
      self.text = text
    }
  }

  /// The title of the chart.
  public let title: String
  /// Additional information, in one line.
  public let subtitle: String
  /// The horizontal axis.
  public let x: Axis
  /// The vertical axis.
  public let y: Axis
  /// The series of the chart.
  public let series: [Series]
  /// The texts at points of the chart.
  public let notes: [Note]

  /// Creates a chart. An axis without a range gets the range of the data.
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

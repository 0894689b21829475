/// What a suite has to say.
public struct Report: Sendable, Encodable {
  /// A part of a report: some words, and perhaps a table and a chart.
  public struct Section: Sendable, Encodable {
    /// What it is about.
    public let title: String
    /// What was done, and how to read it.
    public let text: String
    /// What was found.
    public let table: Table?
    /// What was found, as a picture.
    public let plot: Plot?
  }

  /// A chart with a name for its file.
  public struct Plot: Sendable {
    /// The name, without an ending.
    public let name: String
    /// What it shows.
    public let chart: LineChart

    /// Names a chart.
    public init(_ name: String, _ chart: LineChart) {
      self.name = name
      self.chart = chart
    }
  }

  /// What the report is about.
  public let title: String
  /// Its parts.
  public private(set) var sections: [Section] = []
  /// What was to be reached.
  public private(set) var aims: [Aim] = []

  /// Makes a report without parts.
  public init(_ title: String) { self.title = title }

  /// Adds a part.
  public mutating func add(_ title: String, _ text: String = "", table: Table? = nil, plot: Plot? = nil) {
    sections.append(Section(title: title, text: text, table: table, plot: plot))
  }

  /// Adds something that was to be reached.
  public mutating func add(_ aim: Aim) { aims.append(aim) }

  /// All its charts.
  public var plots: [Plot] { sections.compactMap(\.plot) }
}

extension Report.Plot: Encodable {
  /// The points of each series, by its name.
  public func encode(to encoder: any Encoder) throws {
    let points = chart.series.map { ($0.name, $0.points.map { [$0.x, $0.y] }) }
    try Dictionary(points) { first, _ in first }.encode(to: encoder)
  }
}

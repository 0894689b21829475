/// The results of a suite.
public struct Report: Sendable, Codable {
  /// A section of a report: a text, and perhaps a table and a chart.
  public struct Section: Sendable, Codable {
    /// The heading.
    public let title: String
    /// The method, and how to read the results.
    public let text: String
    /// The results as a table.
    public let table: Table?
    /// The results as a chart.
    public let plot: Plot?
  }

  /// A chart with the name of its file.
  public struct Plot: Sendable {
    /// The name, without an extension.
    public let name: String
    /// The chart itself.
    public let chart: LineChart

    /// Creates a named chart.
    public init(_ name: String, _ chart: LineChart) {
      self.name = name
      self.chart = chart
    }
  }

  /// The title of the report.
  public let title: String
  /// The sections of the report.
  public private(set) var sections: [Section] = []
  /// The targets of the report, with their measured values.
  public private(set) var aims: [Aim] = []

  /// Creates a report without sections.
  public init(_ title: String) { self.title = title }

  /// Adds a section.
  public mutating func add(_ title: String, _ text: String = "", table: Table? = nil, plot: Plot? = nil) {
    sections.append(Section(title: title, text: text, table: table, plot: plot))
  }

  /// Adds a target.
  public mutating func add(_ aim: Aim) { aims.append(aim) }

  /// All charts of the sections.
  public var plots: [Plot] { sections.compactMap(\.plot) }
}

extension Report.Plot: Codable {
  private enum Keys: CodingKey { case name, title, series }

  /// Decodes the points of a chart, without its axes and styles: the chart itself is a file.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let series = try container.decode([String: [[Double]]].self, forKey: .series).sorted { $0.key < $1.key }
    self.init(
      try container.decode(String.self, forKey: .name),
      LineChart(
        try container.decode(String.self, forKey: .title), x: Axis(""), y: Axis(""),
        series: series.map { name, points in .init(name, .plain, points.map { ($0[0], $0[1]) }) }))
  }

  /// Encodes the points of each series under its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(name, forKey: .name)
    try container.encode(chart.title, forKey: .title)
    let points = chart.series.map { ($0.name, $0.points.map { [$0.x, $0.y] }) }
    try container.encode(Dictionary(points) { first, _ in first }, forKey: .series)
  }
}

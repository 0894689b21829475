/// The results of a suite.
public struct Report: Sendable, Encodable {
  /// A section of a report: a text, and perhaps a table and a chart.
  public struct Section: Sendable, Encodable {
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

extension Report.Plot: Encodable {
  /// Encodes the points of each series under its name.
  public func encode(to encoder: any Encoder) throws {
    let points = chart.series.map { ($0.name, $0.points.map { [$0.x, $0.y] }) }
    try Dictionary(points) { first, _ in first }.encode(to: encoder)
  }
}

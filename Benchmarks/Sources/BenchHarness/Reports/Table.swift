/// A table with named columns.
public struct Table: Sendable {
  /// The names of the columns, with their units.
  public let columns: [String]
  /// The rows, each with a cell for every column.
  public private(set) var rows: [[Cell]] = []

  /// Creates a table without rows. Column names must be unique.
  public init(_ columns: [String]) {
    precondition(Set(columns).count == columns.count, "a table's columns must have different names")
    self.columns = columns
  }

  /// Adds a row.
  public mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row must have a cell for every column")
    rows.append(cells)
  }

  /// The table in Markdown, padded so that the source is readable.
  public var markdown: String {
    let texts = [columns] + rows.map { $0.map { $0.shown.replacing("|", with: "\\|") } }
    let widths = columns.indices.map { column in texts.map { $0[column].count }.max() ?? 0 }
    let isNumeric = columns.indices.map { column in rows.allSatisfy { $0[column].isNumber } }
    func line(_ cells: [String]) -> String {
      "| "
        + cells.indices.map { index in
          let space = String(repeating: " ", count: widths[index] - cells[index].count)
          return isNumeric[index] ? space + cells[index] : cells[index] + space
        }.joined(separator: " | ") + " |"
    }
    let rule =
      "|"
      + columns.indices.map { index in
        String(repeating: "-", count: widths[index] + 1) + (isNumeric[index] ? ":" : "-")
      }.joined(separator: "|") + "|"
    return ([line(texts[0]), rule] + texts.dropFirst().map(line)).joined(separator: "\n")
  }
}

extension Table: Encodable {
  private struct Column: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes an array of rows, each an object with the columns' names.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for row in rows {
      var object = list.nestedContainer(keyedBy: Column.self)
      for (column, cell) in zip(columns, row) { try object.encode(cell, forKey: Column(stringValue: column)) }
    }
  }
}

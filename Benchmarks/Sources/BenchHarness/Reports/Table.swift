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

extension Table {
  /// Returns some of the columns, in their order, of the rows that show one of the given texts in each given column.
  public func selecting(_ names: [String], where shown: [String: [String]] = [:]) -> Table {
    let places = names.compactMap(columns.firstIndex)
    var table = Table(places.map { columns[$0] })
    let filters = shown.compactMap { name, texts in columns.firstIndex(of: name).map { ($0, texts) } }
    for row in rows where filters.allSatisfy({ $1.contains(row[$0].shown) }) {
      table.add(places.map { row[$0] })
    }
    return table
  }
}

extension Table: Codable {
  private enum Keys: CodingKey { case columns, rows }

  /// A column with the format of its numbers, which have about three digits unless their decimals are given.
  private struct Column: Codable {
    let name: String
    let unit: String?
    let decimals: Int?

    init(_ name: String, _ cells: [Cell]) {
      self.name = name
      let numbers = cells.compactMap { cell in
        if case .number(let value, let decimals, let unit) = cell { (value, decimals, unit) } else { nil }
      }
      unit = numbers.first.flatMap { $0.2.isEmpty ? nil : $0.2 }
      decimals = numbers.allSatisfy { Cell.decimals(of: $0.0) == $0.1 } ? nil : numbers.first?.1
    }

    func format(_ cell: Cell) -> Cell {
      guard case .number(let value, let digits, _) = cell else { return cell }
      return .number(value, decimals: decimals ?? digits, unit: unit ?? "")
    }
  }

  /// Decodes a table that looks like the encoded one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let columns = try container.decode([Column].self, forKey: .columns)
    self.init(columns.map(\.name))
    for row in try container.decode([[Cell]].self, forKey: .rows) {
      add(zip(columns, row).map { $0.format($1) })
    }
  }

  /// Encodes the columns and the rows, with unrounded numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    let columns = columns.enumerated().map { place, name in Column(name, rows.map { $0[place] }) }
    try container.encode(columns, forKey: .columns)
    try container.encode(rows, forKey: .rows)
  }
}

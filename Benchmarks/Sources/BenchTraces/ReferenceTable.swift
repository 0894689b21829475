#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The hit ratios of other policies, read from a tab-separated table:
///
///     trace  requests  unique  size  capacity  LRU  …  OPT
///
/// The first five columns are fixed; each further column is a policy, with hit ratios in percent.
public struct ReferenceTable: Sendable {
  /// One trace at one size.
  public struct Row: Sendable {
    /// The name of the trace.
    public let trace: String
    /// The size as written in the table, as a share of the distinct keys.
    public let size: String
    /// The size in entries.
    public let capacity: Int
    /// The hit ratios, from 0 to 1, by policy.
    public let hitRatios: [String: Double]
  }

  /// The policies in the order of their columns.
  public let policies: [String]
  /// All rows, in the order of the file.
  public let rows: [Row]

  /// Reads a table from a file.
  public init(path: String) throws(TraceError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw TraceError("\(path) cannot be read")
    }
    try self.init(text: String(decoding: data, as: UTF8.self), name: path)
  }

  init(text: String, name: String) throws(TraceError) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: "\t").map(String.init) }
    guard let header = lines.first, header.count > 5, header.first == "trace" else {
      throw TraceError("\(name) is not a table of hit ratios: its first line must name the columns")
    }
    policies = Array(header[5...])
    var rows: [Row] = []
    for (index, cells) in lines.enumerated().dropFirst() {
      let ratios = cells.dropFirst(5).compactMap(Double.init)
      guard cells.count == header.count, let capacity = Int(cells[4]), ratios.count == policies.count else {
        throw TraceError(
          "\(name), line \(index + 1): the line must have a number for each of \(header.count - 5) policies")
      }
      let byPolicy = Dictionary(zip(policies, ratios.map { $0 / 100 })) { first, _ in first }
      rows.append(Row(trace: cells[0], size: cells[3], capacity: capacity, hitRatios: byPolicy))
    }
    self.rows = rows
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Report {
  /// Returns the report as a chapter of Markdown with headings from a given level on. It links to the charts if their
  /// folder is given.
  public func markdown(level: Int = 1, plotsIn folder: String? = nil, withAims: Bool = true) -> String {
    let heading = String(repeating: "#", count: level)
    var blocks = ["\(heading) \(title)"]
    for section in sections {
      blocks.append("\(heading)# \(section.title)")
      if !section.text.isEmpty { blocks.append(section.text.wrapped(columns: 120)) }
      if let table = section.table { blocks.append(table.markdown) }
      if let plot = section.plot, let folder {
        blocks.append("![\(plot.chart.title)](\(folder)/\(plot.name).svg)")
      }
    }
    if withAims && !aims.isEmpty { blocks += ["\(heading)# Aims", Self.table(of: aims).markdown] }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// Returns a table of targets, their measurements, and whether they are met.
  public static func table(of aims: [Aim]) -> Table {
    var table = Table(["aim", "measured", ""])
    for aim in aims {
      table.add([.text(aim.statement), .text(aim.measured), .text(aim.isMet ? "met" : "**missed**")])
    }
    return table
  }

  /// Writes all charts to a folder, which is created if necessary.
  public func writePlots(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for plot in plots {
      let file = URL(filePath: folder).appending(path: plot.name + ".svg")
      try Data(plot.chart.svg.utf8).write(to: file, options: .atomic)
    }
  }
}

extension Encodable {
  /// The value as JSON, with unrounded numbers. Each row of a table is one line.
  public var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let text = String(decoding: try encoder.encode(self), as: UTF8.self)
      return text.replacing(/[\[{]\n[^\[\]{}]*\n\s*[\]}]/) { match in
        let lines = match.output.split(separator: "\n").map { $0.drop(while: { $0 == " " }) }
        return lines[0] + lines[1..<(lines.count - 1)].joined(separator: " ") + lines[lines.count - 1]
      }
    }
  }
}

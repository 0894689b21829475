import Foundation

extension Report {
  /// The report as a chapter of Markdown, with headings of a level and the one below it, and links to the charts if it
  /// is known in which folder they are.
  public func markdown(level: Int = 1, plotsIn folder: String? = nil, withAims: Bool = true) -> String {
    let heading = String(repeating: "#", count: level)
    var blocks = ["\(heading) \(title)"]
    for section in sections {
      blocks.append("\(heading)# \(section.title)")
      if !section.text.isEmpty { blocks.append(section.text) }
      if let table = section.table { blocks.append(table.markdown) }
      if let plot = section.plot, let folder {
        blocks.append("![\(plot.chart.title)](\(folder)/\(plot.name).svg)")
      }
    }
    if withAims && !aims.isEmpty { blocks += ["\(heading)# Aims", Self.table(of: aims).markdown] }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// Aims, what was measured of each, and whether they are reached.
  public static func table(of aims: [Aim]) -> Table {
    var table = Table(["aim", "measured", ""])
    for aim in aims {
      table.add([.text(aim.statement), .text(aim.measured), .text(aim.isMet ? "met" : "**missed**")])
    }
    return table
  }

  /// Writes all charts into a folder, which is made if need be.
  public func writePlots(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for plot in plots {
      let file = URL(filePath: folder).appending(path: plot.name + ".svg")
      try Data(plot.chart.svg.utf8).write(to: file, options: .atomic)
    }
  }
}

extension Report {
  /// The report as JSON, its numbers without rounding.
  public var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

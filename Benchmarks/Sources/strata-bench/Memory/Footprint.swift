import BenchHarness
import Foundation

/// The memory per entry, measured in one process per cache.
struct Footprint {
  /// The number of entries.
  let count: Int

  func measure(_ report: inout Report) throws {
    for content in FootprintProbe.Content.allCases {
      Progress.say("memory: bytes an entry, \(content.label)")
      var table = Table(["cache", "allocated", "allocated, ratio", "resident", "resident, ratio"])
      let dictionary = try probe(.dictionary, content)
      for cache in FootprintProbe.Kind.allCases {
        let bytes = cache == .dictionary ? dictionary : try probe(cache, content)
        table.add([
          .text(cache.label),
          .measure(bytes.allocated), .ratio(bytes.allocated / dictionary.allocated),
          .measure(bytes.resident), .ratio(bytes.resident / dictionary.resident),
        ])
        if cache == .memory {
          report.add(
            .atMost(
              1.5, bytes.allocated / dictionary.allocated,
              "bytes an entry, \(Cell.count(count).shown) \(content.label), against Dictionary"))
        }
      }
      report.add(
        "Bytes an entry: \(Cell.count(count).shown) \(content.label)",
        """
        Each cache alone in a process of its own. Allocated: what the allocator has given out and not taken back, its \
        own overhead included. Resident: by how much the process grew, memory that was freed on the way included.
        """,
        table: table)
    }
  }

  private func probe(
    _ kind: FootprintProbe.Kind, _ content: FootprintProbe.Content
  ) throws -> FootprintProbe.Answer {
    guard let program = Bundle.main.executableURL else {
      throw Failure("the path of the program is unknown, so it cannot start a process for the measurement")
    }
    let process = Process()
    process.executableURL = program
    process.arguments = [FootprintProbe.command, kind.rawValue, content.rawValue, String(count)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure("the process that measures \(kind.label) failed")
    }
    return try JSONDecoder().decode(FootprintProbe.Answer.self, from: data)
  }
}

import BenchHarness

/// Compares `MemoryStorage` with its peers.
enum MemorySuite: Suite {
  static let name = "memory"
  static let summary =
    "MemoryStorage against Dictionary behind a mutex, sharded and in an actor, NSCache, an LRU"
  static let options = [
    Option("only", value: "PARTS", help: "some of: \(Part.allCases.map(\.rawValue).joined(separator: ","))")
  ]

  enum Part: String, CaseIterable {
    case resident, hot, capacity, footprint, growth, stalls
  }

  static func run(_ arguments: Arguments) throws -> Report {
    let parts = try parts(arguments.value("only"))
    let isQuick = arguments.has("quick")
    var report = Report("Memory")
    for part in Part.allCases where parts.contains(part) {
      switch part {
      case .resident:
        let work = Resident(count: isQuick ? 20_000 : 1_000_000, operations: isQuick ? 5_000 : 200_000)
        try work.measure(Int.self, "Int keys", &report)
        try work.measure(String.self, "String keys", &report)
      case .hot:
        let work = Resident(count: 10_000, operations: isQuick ? 5_000 : 300_000)
        try work.measure(Int.self, "Int keys", &report)
        try work.measure(String.self, "String keys", &report)
      case .capacity:
        let work = AtCapacity(isQuick: isQuick)
        try work.measure(Int.self, "Int keys", &report)
        try work.measure(String.self, "String keys", &report)
      case .footprint: try Footprint(count: isQuick ? 20_000 : 1_000_000).measure(&report)
      case .growth: try Growth(largest: isQuick ? 10_000 : 10_000_000).measure(&report)
      case .stalls: try Stalls(count: isQuick ? 20_000 : 2_000_000).measure(&report)
      }
    }
    return report
  }

  private static func parts(_ text: String?) throws -> Set<Part> {
    guard let text else { return Set(Part.allCases) }
    return Set(
      try text.split(separator: ",").map { word in
        guard let part = Part(rawValue: String(word)) else {
          throw UsageError("memory has no part \(word); --help lists all parts")
        }
        return part
      })
  }
}

import BenchHarness
import Foundation

/// The scaling of many machines with memory in front of one server.
enum ScalingSuite: Suite {
  static let name = "scaling"
  static let summary =
    "many machines with memory in front of one Redis: hits, load of the server, messages (a simulation)"
  static let options = [
    Option("reads", value: "NUMBER", help: "the reads per second of a machine (1000)"),
    Option("keys", value: "NUMBER", help: "the number of keys (1000000)"),
    Option("memory", value: "NUMBER", help: "the number of entries in the memory of a machine (100000)"),
    Option("machines", value: "NUMBER", help: "the number of machines in the tables of one fleet (1000)"),
  ]

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    var fleet = Fleet(machines: try arguments.count("machines") ?? 1_000)
    fleet.keys = try arguments.count("keys") ?? (isQuick ? 10_000 : 1_000_000)
    fleet.memory = try arguments.count("memory") ?? fleet.keys / 10
    if let reads = try arguments.count("reads") { fleet.reads = Double(reads) }
    var report = Report("Scaling")
    report.add("The fleet", words(on: fleet))
    let sizes = [1, 10, 100, 1_000, 10_000]
    let byMachines = sizes.map { size in
      Progress.say("scaling: \(size) machines")
      var one = fleet
      one.machines = size
      return second(of: one)
    }
    report.add(
      "More machines", "One request in a hundred is a write.",
      table: table(byMachines, "machines") { .count($0.machines) },
      plot: plot(byMachines))
    let byWrites = [0.0001, 0.001, 0.01, 0.1].map { share in
      Progress.say("scaling: \(share * 100) % writes")
      var one = fleet
      one.writeShare = share
      return second(of: one)
    }
    report.add(
      "More writes", "\(Cell.count(fleet.machines).shown) machines.",
      table: table(byWrites, "writes, %") { .percent($0.writeShare) })
    let bySpread = [1, 3, 10, 100, fleet.machines].filter { $0 <= fleet.machines }.map { spread in
      Progress.say("scaling: keys on \(spread) machines")
      var one = fleet
      one.spread = spread
      return second(of: one)
    }
    report.add(
      "Keys routed to few machines",
      "\(Cell.count(fleet.machines).shown) machines, one request in a hundred a write; requests for a key go to so many of them.",
      table: table(bySpread, "machines of a key") { .count($0.users) })
    report.add("A hot key", hotKeyText, table: hotKey(sizes))
    report.add("When all memory is emptied at once", refillText, table: refill(fleet))
    return report
  }

  private static func second(of fleet: Fleet) -> FleetSecond {
    var simulation = FleetSimulation(fleet)
    return simulation.run()
  }

  private static func words(on fleet: Fleet) -> String {
    let costs = ServerCosts()
    return """
      Each machine reads \(Cell.count(Int(fleet.reads)).shown) times a second from \(Cell.count(fleet.keys).shown) keys by Zipf's law with exponent \
      \(fleet.exponent), and its memory holds \(Cell.count(fleet.memory).shown) entries. A core of the server spends \(costs.read) µs on a read, \
      \(costs.write) µs on a write, \(costs.note) µs to remember a reader and \(costs.message) µs to send a message; in its table a key takes \
      \(Int(costs.noted)) bytes and each reader \(Int(costs.reader)). A server answers on one core: beyond about 0.7 of it, keys have to be spread over a cluster.
      """
  }

  private static func table(_ seconds: [FleetSecond], _ title: String, _ label: (Fleet) -> Cell) -> Table {
    let costs = ServerCosts()
    var table = Table([
      title, "hits, %", "misses a second", "messages a second", "to all", "cores without memory", "cores",
      "cores, to all",
      "largest burst", "table, MB",
    ])
    for second in seconds {
      let cores = second.cores(costs)
      table.add([
        label(second.fleet), .percent(second.hitRatio), .count(Int(second.misses)),
        .count(Int(second.messages)),
        .count(Int(second.broadcasts)), .measure(cores.bare), .measure(cores.tracked),
        .measure(cores.broadcast),
        .count(second.largestBurst), .measure(second.tableBytes(costs) / 1e6),
      ])
    }
    return table
  }

  private static let hotKeyText = """
    One key that all machines hold and read without pause, written ten times a second. Each write is told to all, and all ask again: \
    the last of them has its message after the time of the burst.
    """

  private static func hotKey(_ sizes: [Int]) -> Table {
    let costs = ServerCosts()
    var table = Table(["machines", "messages a second", "reads that follow", "burst, ms", "cores"])
    for size in sizes {
      let each = Double(size) * (costs.message + costs.read + costs.note) + costs.write
      table.add([
        .count(size), .count(size * 10), .count(size * 10), .measure(Double(size) * costs.message / 1e3),
        .measure(each * 10 / 1e6),
      ])
    }
    return table
  }

  private static let refillText = """
    A server that was replaced, or a flush: each machine asks for what it wants, and all at once. Cores that the reads would take, so long after.
    """

  private static func refill(_ fleet: Fleet) -> Table {
    let costs = ServerCosts()
    var table = Table(["seconds after", "misses a second", "cores"])
    for seconds in [0.0, 1, 10, 60, 600] {
      let misses = Refill(fleet: fleet).misses(after: seconds)
      table.add([
        .count(Int(seconds)), .count(Int(misses)), .measure(misses * (costs.read + costs.note) / 1e6),
      ])
    }
    return table
  }

  private static func plot(_ seconds: [FleetSecond]) -> Report.Plot {
    let costs = ServerCosts()
    func line(_ cores: (FleetSecond) -> Double) -> [(x: Double, y: Double)] {
      seconds.map { (Double($0.fleet.machines), cores($0)) }
    }
    return Report.Plot(
      "scaling",
      LineChart(
        "What the server has to do", subtitle: "1 000 reads a second and machine, 1 % writes",
        x: Axis("machines", isLogarithmic: true), y: Axis("cores of the server", isLogarithmic: true),
        series: [
          .init("no memory in front", .plain, line { $0.cores(costs).bare }),
          .init("tells all", .plain, line { $0.cores(costs).broadcast }),
          .init("tells readers", .strong, line { $0.cores(costs).tracked }),
        ]))
  }
}

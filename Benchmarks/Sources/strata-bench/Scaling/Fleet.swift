import BenchHarness
import Foundation

/// Machines with memory in front of one server, and their requests.
struct Fleet {
  /// The number of machines.
  var machines: Int
  /// The reads per second of each machine.
  var reads = 1_000.0
  /// The share of writes in all requests.
  var writeShare = 0.01
  /// The number of keys, and the exponent of Zipf's law for their popularity. Reads and writes use the same keys.
  var keys = 1_000_000
  var exponent = 0.99
  /// The number of machines that request each key; `nil` for all. It is smaller if requests for one key are routed to
  /// the same machines.
  var spread: Int?
  /// The number of entries in a machine's memory: the most popular ones, as a good policy keeps them.
  var memory = 100_000

  /// The writes per second of all machines.
  var writes: Double { Double(machines) * reads * writeShare / (1 - writeShare) }

  /// The number of machines that request each key.
  var users: Int { min(spread ?? machines, machines) }

  /// The number of the most popular keys that stay in memory on every machine that requests them.
  var keptKeys: Int { memory * machines / users }

  /// The share of each key in all requests, the most popular first.
  var popularity: [Double] {
    let weights = (1...keys).map { pow(Double($0), -exponent) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }
}

/// The costs of a server, in microseconds of one core.
struct ServerCosts {
  /// The cost of answering a read, and of a write.
  var read = 6.5
  var write = 10.0
  /// The cost of recording the reader of a key, and of sending one invalidation.
  var note = 1.5
  var message = 4.5
  /// The bytes of a key in the server's table of readers, and of each reader of the key.
  var noted = 40.0
  var reader = 50.0
}

/// The results of one second of a fleet.
struct FleetSecond {
  var fleet: Fleet
  /// The number of reads that missed memory.
  var misses = 0.0
  /// The number of invalidations: one message for each reader of each written key.
  var messages = 0.0
  /// The highest number of readers of one written key.
  var largestBurst = 0
  /// The number of pairs of key and connection that the server records, and of keys with at least one pair.
  var readers = 0.0
  var notedKeys = 0.0

  var reads: Double { Double(fleet.machines) * fleet.reads }
  var hitRatio: Double { 1 - misses / reads }
  /// The number of messages if the server sent every invalidation to every machine.
  var broadcasts: Double { fleet.writes * Double(fleet.machines) }

  /// Returns the cores that the server needs: without memory in front of it, with tracking, and with broadcasts.
  func cores(_ costs: ServerCosts) -> (bare: Double, tracked: Double, broadcast: Double) {
    let writes = fleet.writes * costs.write
    return (
      (reads * costs.read + writes) / 1e6,
      (misses * (costs.read + costs.note) + writes + messages * costs.message) / 1e6,
      (misses * costs.read + writes + broadcasts * costs.message) / 1e6
    )
  }

  /// Returns the size of the server's table of readers.
  func tableBytes(_ costs: ServerCosts) -> Double { notedKeys * costs.noted + readers * costs.reader }
}

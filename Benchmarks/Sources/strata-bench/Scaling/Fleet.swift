import BenchHarness
import Foundation

/// Machines with memory in front of one server, and what they ask for.
struct Fleet {
  /// How many machines there are.
  var machines: Int
  /// What each of them reads a second.
  var reads = 1_000.0
  /// The share of writes in all requests.
  var writeShare = 0.01
  /// How many keys there are, and how unequally they are asked for, by Zipf's law. Writes and reads go to the same
  /// keys.
  var keys = 1_000_000
  var exponent = 0.99
  /// On how many machines a key is asked for; `nil` if on all. Fewer, if requests for the same thing go to the same
  /// machines.
  var spread: Int?
  /// How many entries the memory of a machine holds: the most popular ones, as a good policy keeps them.
  var memory = 100_000

  /// All writes of a second.
  var writes: Double { Double(machines) * reads * writeShare / (1 - writeShare) }

  /// On how many machines each key is asked for.
  var users: Int { min(spread ?? machines, machines) }

  /// How many of the most popular keys are held wherever they are asked for.
  var keptKeys: Int { memory * machines / users }

  /// The share of each key in all requests, the most popular first.
  var popularity: [Double] {
    let weights = (1...keys).map { pow(Double($0), -exponent) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }
}

/// What a server does in the time of one core, in microseconds.
struct ServerCosts {
  /// To answer a read, and a write.
  var read = 6.5
  var write = 10.0
  /// To remember who has read a key, and to tell one connection of a change.
  var note = 1.5
  var message = 4.5
  /// Bytes that a key takes in the table of readers, and one reader of it.
  var noted = 40.0
  var reader = 50.0
}

/// What a second of a fleet comes to.
struct FleetSecond {
  var fleet: Fleet
  /// Reads that memory could not answer.
  var misses = 0.0
  /// What the server told, one message for each reader of each key that was written.
  var messages = 0.0
  /// The most readers that one write had to be told to.
  var largestBurst = 0
  /// Pairs of a key and a connection that the server remembers, and keys with at least one.
  var readers = 0.0
  var notedKeys = 0.0

  var reads: Double { Double(fleet.machines) * fleet.reads }
  var hitRatio: Double { 1 - misses / reads }
  /// What the server would tell if it told everybody of everything.
  var broadcasts: Double { fleet.writes * Double(fleet.machines) }

  /// How many cores the server needs: without memory in front of it, if it tells readers, and if it tells everybody.
  func cores(_ costs: ServerCosts) -> (bare: Double, tracked: Double, broadcast: Double) {
    let writes = fleet.writes * costs.write
    return (
      (reads * costs.read + writes) / 1e6,
      (misses * (costs.read + costs.note) + writes + messages * costs.message) / 1e6,
      (misses * costs.read + writes + broadcasts * costs.message) / 1e6
    )
  }

  /// The memory of the server's table of readers.
  func tableBytes(_ costs: ServerCosts) -> Double { notedKeys * costs.noted + readers * costs.reader }
}

import BenchHarness
import Foundation

/// Python's diskcache, in a child process that times itself.
struct PythonDiskcache {
  static let name = "diskcache"

  let python: Python
  let count: Int
  let size: Int
  let gets: Int
  let puts: Int
  let rounds: Int

  /// What it says of itself, with one thread.
  func measure(in folder: URL) throws -> [Operation: Timing] {
    let place = folder.appending(path: "diskcache-\(count)").path
    let output = try python.run(
      ["-c", Self.script, place] + [count, size, gets, puts, rounds].map { "\($0)" })
    var found: [Operation: [Double]] = [:]
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let operation = Operation(rawValue: String(words[0])),
        let time = Double(words[1])
      else { throw Failure("diskcache answered \(line)") }
      found[operation, default: []].append(time)
    }
    return found.mapValues { Timing(name: "\(Self.name), \(count)", threads: 1, rounds: $0) }
  }

  /// Prints the nanoseconds of an operation, a round a line.
  private static let script = """
    import random, sys, time
    import diskcache
    count, size, gets, puts, rounds = map(int, sys.argv[2:])
    cache = diskcache.Cache(sys.argv[1])
    values = [bytes((i * 7 + number) % 256 for i in range(size)) for number in range(rounds + 2)]
    with cache.transact():
        for number in range(count):
            cache["u%08d" % number] = values[0]
    for number in range(rounds + 1):
        for name, length in (("get", gets), ("put", puts)):
            keys = ["u%08d" % random.randrange(count) for _ in range(length)]
            start = time.perf_counter_ns()
            if name == "get":
                for key in keys:
                    cache[key]
            else:
                for key in keys:
                    cache[key] = values[number + 1]
            if number > 0:
                print(name, (time.perf_counter_ns() - start) / length)
    """
}

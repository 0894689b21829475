import BenchHarness
import Foundation

/// Python's diskcache, in a child process that times itself.
struct PythonDiskcache {
  static let name = "diskcache"
  /// The limit on the number of entries: it fills this many in some seconds.
  static let most = 100_000

  let python: Python
  let count: Int
  let size: Int
  let gets: Int
  let puts: Int
  let coldOperations: Int
  let rounds: Int
  let canDrop: Bool

  /// Runs the program and returns the times that it prints.
  func measure(in folder: URL) throws -> [(Operation, Temperature, Timing)] {
    let place = folder.appending(path: "diskcache-\(count)").path
    let output = try python.run(
      ["-c", Self.script, place]
        + [count, size, gets, puts, coldOperations, rounds, canDrop ? 1 : 0].map { "\($0)" })
    var found: [[Substring]: [Double]] = [:]
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 4, let time = Double(words[3]) else { throw Failure("diskcache answered \(line)") }
      found[Array(words.prefix(3)), default: []].append(time)
    }
    return try found.map { words, times in
      guard let operation = Operation(rawValue: String(words[1])), let threads = Int(words[2]) else {
        throw Failure("diskcache answered \(words)")
      }
      return (
        operation, words[0] == "cold" ? .cold : .warm,
        Timing(name: "\(Self.name), \(count)", threads: threads, rounds: times)
      )
    }
  }

  /// Prints the nanoseconds of an operation, one round per line: "warm get 1 7000".
  private static let script = """
    import os, random, sys, threading, time
    import diskcache
    count, size, gets, puts, colds, rounds, can_drop = map(int, sys.argv[2:])
    cache = diskcache.Cache(sys.argv[1])
    values = [os.urandom(size) for _ in range(rounds + 2)]
    for start in range(0, count, 1000):
        with cache.transact():
            for number in range(start, min(count, start + 1000)):
                cache["u%08d" % number] = values[0]

    def flush(drop):
        for folder, _, names in os.walk(sys.argv[1]):
            for name in names:
                file = os.open(os.path.join(folder, name), os.O_RDONLY)
                os.fsync(file)
                if drop:
                    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)

    def work(name, keys, value):
        if name == "get":
            for key in keys:
                cache[key]
        else:
            for key in keys:
                cache[key] = value

    def measure(temperature, name, length, threads, value):
        keys = [["u%08d" % random.randrange(count) for _ in range(length)] for _ in range(threads)]
        if temperature == "cold":
            cache.close()
            flush(True)
            len(cache)
            flush(True)
        team = [threading.Thread(target=work, args=(name, part, value)) for part in keys[1:]]
        start = time.perf_counter_ns()
        for thread in team:
            thread.start()
        work(name, keys[0], value)
        for thread in team:
            thread.join()
        return (time.perf_counter_ns() - start) / length / threads

    flush(False)
    for temperature in ("warm", "cold") if can_drop else ("warm",):
        for number in range(rounds + 1 if temperature == "warm" else min(rounds, 3) + 1):
            for name, length in (("get", gets), ("put", puts)):
                for threads in (1, 2):
                    time_each = measure(
                        temperature, name, length if temperature == "warm" else colds, threads, values[number + 1])
                    if number > 0:
                        print(temperature, name, threads, time_each)
    """
}

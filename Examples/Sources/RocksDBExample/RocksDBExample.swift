import Foundation
import StrataRocksDB

/// A time series: a sensor's readings, one per minute, ordered by time and kept for a week.
@main
struct RocksDBExample {
  static func main() throws {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    let folder = (caches ?? FileManager.default.temporaryDirectory).appending(
      path: "strata-examples/readings")
    let config = RocksDBConfig(
      path: folder.path, family: "readings", expiry: .seconds(7 * day), compression: .zstd)
    let readings = try RocksDBStorage<Minute>(config: config)

    let known = try readings.keys()
    print("The readings of a sensor, one per minute\n")
    print("  \(column("from earlier runs"))\(known.count)")

    // Eight days of simulated readings: those older than a week expire at once.
    let now = Date()
    let first = known.last.map { $0.number + 1 } ?? Minute(now.addingTimeInterval(-8 * day)).number
    let clock = ContinuousClock()
    let time = try clock.measure { try measure(from: first, until: Minute(now).number, into: readings) }
    print("  \(column("new"))\(max(0, Minute(now).number - first)) in \(milliseconds(time))")
    try readings.removeExpiredObjects()
    print("  \(column("of the last week"))\(try readings.keys().count)")

    print("\nThe last six hours, by the hour\n")
    for hours in (1...6).reversed() {
      let start = Minute(now.addingTimeInterval(Double(-hours) * 3600))
      let end = Minute(now.addingTimeInterval(Double(1 - hours) * 3600))
      let values = try readings.entries(forKeys: readings.keys(from: start, until: end)).values
      let degrees = values.map { Double(String(decoding: $0.object, as: UTF8.self)) ?? .nan }
      guard let low = degrees.min(), let high = degrees.max() else { continue }
      print("  \(start)  \(degrees.count) readings, \(low) to \(high) °C")
    }

    let statistics = readings.statistics
    print("\nWhat RocksDB says\n")
    print("  \(column("records"))about \(statistics.estimatedRecords)")
    print("  \(column("on disk"))\(statistics.fileBytes) bytes")
    print("  \(column("in memory"))\(statistics.memoryTableBytes) bytes, which the log holds too")
    print("  \(column("cache"))\(statistics.blockCacheHits) hits, \(statistics.blockCacheMisses) misses")
    print("\nThe readings are in \(readings.path). To forget them: rm -r \(readings.path)")
  }

  static let day = 86_400.0

  /// Stores simulated readings, each of which expires a week after its minute.
  static func measure(from first: Int, until end: Int, into readings: RocksDBStorage<Minute>) throws {
    for number in first..<max(first, end) {
      let minute = Minute(number: number)
      let degrees = 20 + 5 * sin(Double(number) / 1440 * 2 * .pi) + Double(number * 7919 % 10) / 10
      let value = Data(String((degrees * 10).rounded() / 10).utf8)
      try readings.setObject(value, forKey: minute, expiry: .date(minute.date.addingTimeInterval(7 * day)))
    }
  }

  static func column(_ text: String) -> String {
    text + String(repeating: " ", count: max(1, 20 - text.count))
  }

  static func milliseconds(_ time: Duration) -> String {
    "\(Int((time / .milliseconds(1)).rounded())) ms"
  }
}

/// A minute as a key whose texts sort by time.
struct Minute: StorageKey, CustomStringConvertible {
  /// The number of minutes since 1970.
  let number: Int

  init(number: Int) { self.number = number }
  init(_ date: Date) { number = Int(date.timeIntervalSince1970 / 60) }

  init?(storageKey: String) {
    guard storageKey.count == 20, let date = try? Date(storageKey, strategy: .iso8601) else { return nil }
    self.init(date)
  }

  var date: Date { Date(timeIntervalSince1970: Double(number) * 60) }
  var storageKey: String { date.formatted(.iso8601) }
  var description: String { storageKey }
}

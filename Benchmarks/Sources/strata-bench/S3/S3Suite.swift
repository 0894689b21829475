import BenchHarness
import Foundation
import StrataS3

/// The throughput of a store in a bucket, compared with the same requests by `URLSession` alone.
enum S3Suite: Suite {
  static let name = "s3"
  static let summary =
    "S3Storage against URLSession alone on one SeaweedFS server: 1, 16 and 64 tasks, 100 B values"
  static let options: [Option] = []

  private static let keys = 200
  private static let value = Data((0..<100).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  static func run(_ arguments: Arguments) throws -> Report {
    let isQuick = arguments.has("quick")
    let server = try LocalS3()
    let config = S3Config(
      bucket: LocalS3.bucket, endpoint: server.endpoint,
      credentials: .fixed(accessKeyID: "id", secretAccessKey: "key"),
      connections: 64)
    let store = try S3Storage<Int>(config: config, prefix: "bench")
    let bare = BareS3(port: server.port, connections: 64)
    // Fills all keys, so that every read is a hit for both.
    try waiting {
      try await store.setObjects(
        Dictionary(uniqueKeysWithValues: (0..<keys).map { ($0, value) }), expiry: nil)
    }
    var report = Report("S3")
    var table = Table(["operation", "tasks", "Strata/s", "URLSession/s", "ratio"])
    for isWrite in [false, true] {
      for tasks in [1, 16, 64] {
        let name = isWrite ? "PUT" : "GET"
        Progress.say("s3: \(name) by \(tasks) tasks")
        let count = isQuick ? 64 : tasks == 1 ? 300 : 1600
        let fields = BareS3.fields(isWrite: isWrite)
        var ours: [Double] = []
        var theirs: [Double] = []
        for _ in 0..<(isQuick ? 1 : 7) {
          theirs.append(
            try waiting {
              try await rate(tasks, count) { key in
                let data = try await bare.send(
                  name, "/bench/\(key)", isWrite ? value : nil, fields: fields)
                if !isWrite, data != value { throw Failure("\(key) is not as it was stored") }
              }
            })
          ours.append(
            try waiting {
              try await rate(tasks, count) { key in
                if isWrite { return try await store.setObject(value, forKey: key) }
                guard try await store.object(forKey: key) == value else {
                  throw Failure("\(key) is not as it was stored")
                }
              }
            })
        }
        let ratio = zip(ours, theirs).map { $0 / $1 }.median
        table.add([.text(name), .count(tasks), .measure(ours.median), .measure(theirs.median), .ratio(ratio)])
        report.add(.atLeast(0.9, ratio, "\(name) by \(tasks) tasks, against URLSession alone"))
      }
    }
    report.add(
      "Against URLSession alone",
      """
      Operations a second on one server of this machine, values of 100 B. Each task waits for its response before it asks again, over \
      at most 64 connections. The bare client sends the same requests by `data(for:)` of a plain ephemeral session: the same fields, \
      with a signature that was not computed, since this server checks none. The store signs each request, hashes the body, and reads \
      expiry and entity tag; its session has no cookies, for which a plain one searches each response. A ratio is the median of those \
      within each round.
      """, table: table)
    return report
  }

  /// Returns the operations per second of several tasks.
  private static func rate(
    _ tasks: Int, _ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    let share = count / tasks
    let watch = Stopwatch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        let draws = KeySequence.uniform(share, of: keys, seed: UInt64(task) + 1)
        group.addTask { for draw in draws { try await operation(draw) } }
      }
      try await group.waitForAll()
    }
    return Double(share * tasks) / Double(watch.nanoseconds) * 1e9
  }
}

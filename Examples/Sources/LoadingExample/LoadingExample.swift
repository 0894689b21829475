import Foundation
import Strata

/// An outage drill: the source of a cache is down for a minute, slow for a minute, and flapping for a minute.
///
/// It shows the effect on 20 requests a second, with a cache that only keeps values for ten seconds, and with a policy
/// for outages. `swift run LoadingExample drill.svg` also draws a picture.
@main
struct LoadingExample {
  static let plain = LoadPolicy(freshFor: .seconds(10), hardTimeout: .seconds(10))

  static let prepared = LoadPolicy(
    freshFor: .seconds(10), staleFor: .seconds(600), softTimeout: .milliseconds(100),
    hardTimeout: .seconds(10),
    refreshAhead: .at(0.8), retryAfter: .exponential(from: .seconds(1), to: .seconds(10)))

  static func main() async throws {
    let reports = [
      await Drill().run("ten seconds, and nothing else", plain), await Drill().run("with a policy", prepared),
    ]
    for report in reports { report.printTable() }
    if CommandLine.arguments.count > 1 {
      let file = URL(filePath: CommandLine.arguments[1])
      try Data(Picture().svg(reports).utf8).write(to: file)
      print("The picture is in \(file.path).")
    }

    try await showObserving()
  }
}

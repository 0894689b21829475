import Foundation

/// Long versions of some tests, which run only with STRATA_SOAK=1.
enum Soak {
  static let isRunning = ProcessInfo.processInfo.environment["STRATA_SOAK"] == "1"
}

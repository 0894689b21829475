import Foundation

/// The long runs of tests that repeat something: STRATA_SOAK=1 asks for them.
enum Soak {
  static let isRunning = ProcessInfo.processInfo.environment["STRATA_SOAK"] == "1"
}

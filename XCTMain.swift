import Foundation
import Testing

/// The main program of a package's tests. SwiftPM takes a file of this name instead of generating the program, which
/// would need an index of all sources, to find tests of XCTest, and is compiled with that library: here are none.
@main struct XCTMain {
  static func main() async {
    // `Tests/run` asks for the threads of a process that hangs. A process that a test starts in order to crash would
    // take seconds for them.
    unsetenv("SWIFT_BACKTRACE")
    // `swift test` also runs the program for XCTest.
    if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
  }
}

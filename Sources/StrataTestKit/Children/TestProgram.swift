#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
package import Testing

/// The program of the tests, to be started again for one test.
package enum TestProgram {
  /// Returns the arguments with which the program runs one test and no other.
  package static func arguments(toRun test: Test) -> [String] {
    let name = "\(test.id)".map { $0.isASCII && !$0.isLetter && !$0.isNumber ? "\\\($0)" : "\($0)" }.joined()
    var arguments = [program, "--testing-library", "swift-testing", "--filter", "^\(name)"]
    // A helper of SwiftPM that loads the tests from a bundle needs the bundle's path.
    let own = CommandLine.arguments
    if let place = own.firstIndex(of: "--test-bundle-path"), place + 1 < own.count {
      arguments += ["--test-bundle-path", own[place + 1], own[place + 1]]
    }
    return arguments
  }

  private static var program: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }
}

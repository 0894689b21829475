import Foundation
import TestSupport

/// The program `KeychainRunner`, which uses a vault as another process. It is built with the tests.
enum Runner {
  static let path = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "KeychainRunner").path

  static func start(_ vault: TestVault, _ words: String...) throws -> Program {
    try Program([path, vault.path] + words)
  }
}

extension Program {
  /// The complete lines that it has printed.
  var lines: [String] {
    get throws {
      String(decoding: try printed, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().map(String.init)
    }
  }
}

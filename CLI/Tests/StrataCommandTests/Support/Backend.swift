import Foundation
import Testing

/// A backend of the command. It can make addresses of stores for tests.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
  case disk, files, sqlite, lmdb, rocksdb, redis, postgres, s3, vault

  var testDescription: String { rawValue }

  /// The backends whose servers are installed.
  static var installed: [Backend] {
    allCases.filter { $0 != .s3 || FileManager.default.isExecutableFile(atPath: TestServer.python) }
  }

  /// The backends of files that the test's own process can open.
  static let local: [Backend] = [.disk, .files, .sqlite, .lmdb, .rocksdb]

  /// Returns the address of a store in the test's folder or on a test server. Creates the key file that a vault needs.
  func address(_ name: String, in strata: Strata) throws -> String {
    switch self {
    case .disk: return "disk:\(name)"
    case .files: return "disk:\(name)?layout=files"
    case .sqlite: return "sqlite:\(name).db"
    case .lmdb: return "lmdb:\(name)-lmdb"
    case .rocksdb: return "rocksdb:\(name)-rocks"
    case .redis:
      return "unix://\(try TestServer.redis.get().folder)/redis.sock?namespace=\(UUID().uuidString)"
    case .postgres:
      let folder = try TestServer.postgres.get().folder
      return "postgres:///postgres?host=\(folder)&user=strata&table=\(UUID().uuidString)"
    case .s3:
      return "s3://tests/\(UUID().uuidString)?endpoint=http://127.0.0.1:\(try TestServer.s3.get().note)"
    case .vault:
      let key = strata.place.appending(path: "key")
      if !FileManager.default.fileExists(atPath: key.path) {
        try Data((0..<32).map { UInt8($0) }).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
      }
      return "vault:\(name).vault?service=test"
    }
  }

  /// Returns the command with the environment variables that give the backend's credentials.
  func prepared(_ strata: Strata) -> Strata {
    var strata = strata
    switch self {
    case .vault: strata.environment["STRATA_KEY_FILE"] = "key"
    case .postgres: strata.environment["PGPASSWORD"] = "strata"
    case .s3:
      strata.environment["AWS_ACCESS_KEY_ID"] = "tests"
      strata.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
    default: break
    }
    return strata
  }
}

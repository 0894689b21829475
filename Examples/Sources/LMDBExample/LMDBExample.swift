import Foundation
import StrataLMDB

/// Sessions of a web site, shared by several worker processes in one map: any worker serves any visitor.
@main
struct LMDBExample {
  struct Session: Codable {
    var visits = 0
    var pages: [String: Int] = [:]
  }

  static let folder =
    (FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    ?? FileManager.default.temporaryDirectory).appending(path: "strata-examples/sessions")
  static let visitors = ["Ada", "Grace", "Alan", "Edsger"]
  static let workers = 3
  static let requests = 200

  static func main() throws {
    let sessions = try LMDBStorage<String>(
      config: LMDBConfig(path: folder.path, database: "sessions", expiry: .seconds(1800)))
    if CommandLine.arguments.contains("worker") {
      try serve(sessions)
    } else {
      try run(sessions)
    }
  }

  /// The first process: starts the workers, and reads the sessions that they write.
  static func run(_ sessions: LMDBStorage<String>) throws {
    try sessions.removeExpiredObjects()
    let before = try visits(sessions)
    print(before == 0 ? "No sessions yet" : "Found \(before) visits of the last half hour")
    for visitor in visitors where try !sessions.objectExists(forKey: visitor) {
      try sessions.setObject(JSONEncoder().encode(Session()), forKey: visitor)
    }

    print(
      "\n\(workers) processes serve \(requests) requests each, all on the same \(visitors.count) sessions\n")
    let running = try (1...workers).map { _ in
      try Process.run(URL(filePath: program), arguments: ["worker"])
    }
    for process in running { process.waitUntilExit() }

    for visitor in try sessions.keys().sorted() {
      let session = try JSONDecoder().decode(Session.self, from: sessions.object(forKey: visitor))
      let pages = session.pages.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      print("  \(column(visitor))\(column("\(session.visits) visits"))\(pages.joined(separator: ", "))")
    }
    let count = try visits(sessions) - before
    print(
      "\n  \(count) of \(workers * requests) visits counted: \(count == workers * requests ? "none" : "some") lost"
    )

    // A part of a value can be read in place, without a copy.
    if let first = try sessions.withBytes(forKey: "Ada", { $0.unsafeLoad(as: UInt8.self) }) {
      print(
        "  Ada's session begins with \(Character(UnicodeScalar(first))) and was not copied to find that out")
    }
    print("\nRun it again, and it goes on counting.")
    print("The sessions are in \(sessions.path). To forget them: rm -r \(sessions.path)")
  }

  /// A worker: each request updates one session. If another process changes it meanwhile, the update runs again.
  static func serve(_ sessions: LMDBStorage<String>) throws {
    let pages = ["/", "/news", "/about"]
    for request in 0..<requests {
      try sessions.update(forKey: visitors[request % visitors.count]) { bytes in
        var session = try JSONDecoder().decode(Session.self, from: bytes)
        session.visits += 1
        session.pages[pages[request % pages.count], default: 0] += 1
        bytes = try JSONEncoder().encode(session)
      }
    }
  }

  static func visits(_ sessions: LMDBStorage<String>) throws -> Int {
    try sessions.allObjects().reduce(0) { try $0 + JSONDecoder().decode(Session.self, from: $1).visits }
  }

  /// The path of this program, so that it can start itself.
  static var program: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

  static func column(_ text: String) -> String {
    text + String(repeating: " ", count: max(1, 12 - text.count))
  }
}

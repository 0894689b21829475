import Foundation
import StrataSQLite

/// A web crawler that can be stopped and resumed at any moment. The waiting pages and the pages read are two tables of
/// one SQLite file.
@main
struct SQLiteExample {
  static func main() throws {
    let folder = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
      .appending(path: "strata-examples/crawl")
    let path = folder.appending(path: "crawl.db").path
    let crawl = try Crawl(path)

    print("A crawl of a small web\n")
    let (read, waiting) = try crawl.counts()
    if read == 0 {
      print("  Nothing was read so far: starting at the home page.")
    } else {
      print("  Remembered: \(read) pages read, \(waiting) waiting.")
    }
    try crawl.start(at: Web.home)
    print("")
    for _ in 0..<6 {
      guard let (address, page) = try crawl.step() else { break }
      print("  \(column(address, 34))\(column(page.title, 12))\(page.links.count) links")
    }
    try finish(crawl, path)
    print("\nThe crawl is in \(folder.path). To forget it: rm -r \(folder.path)")
  }

  static func finish(_ crawl: Crawl, _ path: String) throws {
    let (read, waiting) = try crawl.counts()
    if waiting > 0 {
      print(
        "\n  Stopped, with \(read) pages read and \(waiting) waiting. Run it again to go on, and look meanwhile:\n"
      )
      print("  sqlite3 \(path) \"SELECT key, value FROM waiting\"")
    } else {
      print("\n  All \(read) pages are read. The next run starts from the beginning.")
      try crawl.forget()
    }
  }

  static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

/// The title and links of a page.
struct Page: Codable, Sendable {
  let title: String
  let links: [String]
}

/// A waiting page's distance from the start of the crawl.
struct Waiting: Codable, Sendable {
  let depth: Int
}

/// The tables of waiting pages and of pages read, in one file.
struct Crawl {
  private let waiting: any SyncStorageAware<String, Waiting>
  private let pages: any SyncStorageAware<String, Page>

  init(_ path: String) throws {
    // A crawl can be repeated: its pages expire after a day, and a loss of power may lose the last ones.
    let frontier = SQLiteConfig(path: path, table: "waiting")
    let archive = SQLiteConfig(path: path, table: "pages", expiry: .seconds(86_400), maxSize: 50_000_000)
    waiting = try SQLiteStorage<String>(config: frontier).transform(to: Waiting.self)
    pages = try SQLiteStorage<String>(config: archive).transform(to: Page.self)
    try pages.removeExpiredObjects()
  }

  func start(at address: String) throws {
    if try waiting.keys().isEmpty { try waiting.setObject(Waiting(depth: 0), forKey: address) }
  }

  /// Reads the waiting page nearest to the start; `nil` if there is none.
  func step() throws -> (String, Page)? {
    let next = try waiting.entries(forKeys: waiting.keys())
      .min { ($0.value.object.depth, $0.key) < ($1.value.object.depth, $1.key) }
    guard let next else { return nil }
    let page = Web.read(next.key)

    // In this order no page is lost if the process dies in between: at worst one page is read twice.
    var found: [String: Waiting] = [:]
    for link in page.links where try link != next.key && !pages.objectExists(forKey: link) {
      found[link] = Waiting(depth: next.value.object.depth + 1)
    }
    for known in try waiting.entries(forKeys: Array(found.keys)).keys { found[known] = nil }
    try waiting.setObjects(found, expiry: nil)
    try pages.setObject(page, forKey: next.key)
    try waiting.removeObject(forKey: next.key)
    return (next.key, page)
  }

  func counts() throws -> (read: Int, waiting: Int) { (try pages.keys().count, try waiting.keys().count) }

  func forget() throws { try pages.removeAll() }
}

/// A small web without a network: sixteen pages that link to each other.
enum Web {
  static let home = address(1)

  static func read(_ address: String) -> Page {
    let number = Int(address.drop { !$0.isNumber }) ?? 1
    let links = [number * 2, number * 2 + 1, number / 2].filter { (1...16).contains($0) }
    return Page(title: "Page \(number)", links: links.map(Self.address))
  }

  private static func address(_ number: Int) -> String { "https://example.com/pages/\(number)" }
}

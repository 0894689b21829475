import Foundation
import StrataDisk
import StrataLZ4

/// Pages of text are kept on disk, compressed in the least time.
@main
struct LZ4Example {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "strata-lz4-\(UUID().uuidString)")
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(error)") }
    }
    let bytes = try DiskStorage<String>(config: DiskConfig(name: "pages", directory: folder))
    let pages = bytes.transform(to: .codable([String].self).lz4())

    let lines = (1...200).map { "\($0) green bottles hanging on the wall" }
    try pages.setObject(lines, forKey: "bottles")
    print("\(lines.joined().utf8.count) letters take \(try bytes.object(forKey: "bottles").count) bytes.")
    print("The last line: \(try pages.object(forKey: "bottles").last ?? "none").")
  }
}

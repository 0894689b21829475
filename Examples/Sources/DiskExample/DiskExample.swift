import Foundation
import StrataDisk

/// A store of bytes on disk: one file per entry, which survives restarts and is verified on every read.
@main
struct DiskExample {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "strata-\(UUID().uuidString)")
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
    }
    let time = ManualClock()
    let config = DiskConfig(name: "notes", directory: folder, clock: time.clock)

    try writeNotes(config)
    try readAfterRestart(config, time)
    try readDamaged(config)
  }

  static func writeNotes(_ config: DiskConfig) throws {
    print("Any text is a key, any bytes are a value\n")
    let notes = try DiskStorage<String>(config: config)
    try notes.setObject(Data("buy milk".utf8), forKey: "today")
    try notes.setObject(Data("call Grace".utf8), forKey: "🗓️ tomorrow")
    try notes.setObject(Data("no harm done".utf8), forKey: "../../etc/passwd")
    try notes.setObject(Data("stand-up at ten".utf8), forKey: "meeting", expiry: .seconds(3600))

    for key in try notes.keys().sorted() {
      let entry = try notes.entry(forKey: key)
      print("  \(column(key))\(file(entry))  \(entry.object.count) bytes")
    }
    print("  \(column("all together"))\(notes.totalSize) bytes, with headers and keys")
  }

  static func readAfterRestart(_ config: DiskConfig, _ time: ManualClock) throws {
    print("\nA new store over the same folder, two hours later\n")
    time.advance(by: 7200)
    let notes = try DiskStorage<String>(config: config)
    print("  \(column("keys"))\(try notes.keys().sorted().joined(separator: ", "))")
    print("  \(column("today"))\(String(decoding: try notes.object(forKey: "today"), as: UTF8.self))")
    do {
      _ = try notes.object(forKey: "meeting")
    } catch StorageError.notFound {
      print("  \(column("meeting"))expired, so it is not found")
    }
  }

  static func readDamaged(_ config: DiskConfig) throws {
    print("\nA file loses its last byte\n")
    let notes = try DiskStorage<String>(config: config)
    guard let path = try notes.entry(forKey: "today").filePath else { return }
    let url = URL(filePath: path)
    try Data(contentsOf: url).dropLast().write(to: url)

    do {
      _ = try notes.object(forKey: "today")
    } catch let error as StorageError {
      print("  \(column("first read"))\(error.code): the file is not a valid entry")
    }
    print("  \(column("then"))\(try notes.objectIfPresent(forKey: "today") == nil ? "absent" : "there")")
    let kept = try FileManager.default.contentsOfDirectory(atPath: "\(notes.path)/Damaged")
    print("  \(column("set aside"))\(kept.count) file in Damaged")
    print("  \(column("the others"))\(try notes.keys().sorted().joined(separator: ", "))")
  }

  static func column(_ text: String) -> String {
    text + String(repeating: " ", count: max(1, 18 - text.count))
  }

  /// Returns the shortened name of an entry's file, which is a hash of its key.
  static func file(_ entry: Entry<Data>) -> String {
    guard let path = entry.filePath else { return "no file" }
    return URL(filePath: path).lastPathComponent.prefix(8) + "….strata"
  }
}

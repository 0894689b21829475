import Foundation
import Strata
import StrataCBOR

/// A reading of a weather station.
struct Reading: Codable, Sendable {
  var station: String
  var time: Date
  var temperature: Double
  var wind: [Double]
}

/// A store filled with JSON switches to CBOR while it is in use.
@main
struct CBORExample {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "strata-cbor-\(UUID().uuidString)")
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(error)") }
    }
    let reading = Reading(
      station: "Sonnblick", time: Date(timeIntervalSince1970: 1_700_000_000), temperature: -7.5,
      wind: (0..<24).map { Double($0) / 4 })

    try store(folder, .codable(Reading.self)).setObject(reading, forKey: "yesterday")
    // Reads both formats, writes CBOR.
    let moving = try store(folder, .codable(reading: [.json], writing: .cbor))
    try moving.setObject(moving.object(forKey: "yesterday"), forKey: "today")

    let bytes = moving.transformData()
    let (old, new) = (try bytes.object(forKey: "yesterday"), try bytes.object(forKey: "today"))
    print("As JSON \(old.count) bytes, as CBOR \(new.count).")
    print("The new one begins with \(new.prefix(8).map { String($0, radix: 16) }.joined(separator: " ")) …")
    print(
      "\(try moving.object(forKey: "today").station) was \(try moving.object(forKey: "today").temperature) °C."
    )
  }

  static func store(_ folder: URL, _ transformer: Transformer<Reading>) throws -> Storage<String, Reading> {
    try Storage(
      diskConfig: DiskConfig(name: "readings", directory: folder), memoryConfig: MemoryConfig(),
      transformer: transformer)
  }
}

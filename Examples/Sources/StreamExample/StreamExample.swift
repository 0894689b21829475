import Foundation
import Strata

/// A room with listeners, and a cache on disk with room for six sounds of a station.
///
/// Sounds are played while they arrive, are sent once however many listen, and are never in memory as a whole. With the
/// name of a player as the argument, such as `aplay`, the last sound can be heard.
@main
struct StreamExample {
  private let station = Station()
  private let cache: Storage<String, Data>

  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "StreamExample-\(UUID().uuidString)")
    defer { remove(folder) }
    let room = StreamExample(
      cache: try Storage(
        diskConfig: DiskConfig(
          name: "sounds", maxSize: UInt(6 * Station.length + (1 << 20)), directory: folder),
        transformer: .data))
    try await room.listenTogether()
    try await room.seek()
    try await room.fill()
    try await room.play(with: CommandLine.arguments.dropFirst().first)
  }

  /// Returns a sound from the cache, or from the station, which is then stored while it is played.
  private func sound(_ name: String, _ pitch: Int) async throws -> StoredBytes {
    try await cache.read(forKey: name, expiry: .seconds(86_400)) { station.sound(pitch) }
  }

  private func listenTogether() async throws {
    print("Three listeners want the same sound. It is sent once:")
    try await withThrowingTaskGroup(of: (String, Int).self) { group in
      for name in ["Ada", "Grace", "Alan"] {
        group.addTask {
          var heard = 0
          for try await part in try await sound("a", 440) {
            heard += part.count
            // Alan has heard enough after some seconds, which does not disturb the others.
            if name == "Alan", heard > 300_000 { break }
          }
          return (name, heard)
        }
      }
      for try await (name, heard) in group {
        print("  \(name) heard \(heard >= Station.length ? "all of it" : "a part")")
      }
    }
    print("  connections: \(station.connected), bytes sent: \(station.sent) of \(Station.length)\n")
  }

  private func seek() async throws {
    print("Each fourth second of the sound, from the cache:")
    for second in stride(from: 0, to: Station.seconds, by: 4) {
      let start = Sound.headSize + 2 * Station.rate * second
      let samples = try await cache.read(forKey: "a", range: start..<start + 2 * Station.rate / 10).data()
      print("  \(second) s\t\(Sound.bar(samples))")
    }
    print("  connections: \(station.connected)\n")
  }

  private func fill() async throws {
    print("Ten sounds, and room for six:")
    for (index, name) in "abcdefghij".map(String.init).enumerated() {
      for try await _ in try await sound(name, 220 + 40 * index) {}
    }
    let kept = try await cache.async.keys().sorted()
    print("  kept: \(kept.joined(separator: " "))")
    let size = cache.totalDiskStorageSize ?? 0
    print("  on disk: \(size / 1_000_000) MB\n")
  }

  private func play(with player: String?) async throws {
    guard let file = try await cache.async.fileURL(forKey: "j") else {
      print("The last sound has no file of its own.")
      return
    }
    print("The last sound lies in a file that a player can open, even if it is evicted meanwhile.")
    try await cache.async.removeObject(forKey: "j")
    let head = try FileHandle(forReadingFrom: file.url).read(upToCount: 4) ?? Data()
    print("  its file begins with \(String(decoding: head, as: UTF8.self))")
    guard let player else { return }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [player, file.url.path(percentEncoded: false)]
    try process.run()
    process.waitUntilExit()
    withExtendedLifetime(file) {}
  }

  /// Removes a folder. The store may be removing the file of the last sound at the same time.
  private static func remove(_ folder: URL) {
    while FileManager.default.fileExists(atPath: folder.path) {
      do { try FileManager.default.removeItem(at: folder) } catch CocoaError.fileNoSuchFile { continue } catch
      {
        return print("left behind: \(error)")
      }
    }
  }
}

import Foundation
import Strata

/// A tour of a typed store: run it, then read it from top to bottom.
@main
struct Quickstart {
  static func main() throws {
    // `make demo` names a folder, to look into it with the command strata afterwards.
    let place = ProcessInfo.processInfo.environment["STRATA_DEMO"]
    let folder =
      place.map { URL(filePath: $0) }
      ?? FileManager.default.temporaryDirectory.appending(path: "strata-\(UUID().uuidString)")
    defer {
      if place == nil {
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
      }
    }
    let time = ManualClock()

    try firstRun(in: folder, time)
    try afterRestart(in: folder, time)
    print()
  }

  static func firstRun(in folder: URL, _ time: ManualClock) throws {
    title("A chain, described once")
    let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig(countLimit: 100, clock: time.clock))
    let disk = try DiskStorage<String>(
      config: DiskConfig(name: "forecasts", directory: folder, clock: time.clock))
    let forecasts = Storage(front: memory, back: disk, transformer: .codable(Forecast.self).zlib())
    printHierarchy(of: forecasts)

    title("Save, change and load, with an observer that prints the changes")
    let observer = Announcer()
    forecasts.addStorageObserver(observer) { observer, _, change in observer.announce(change) }
    try forecasts.setObject(Forecast("Lisbon", "sunny", warmest: 24), forKey: "lisbon")
    try forecasts.setObject(Forecast("Oslo", "snow", warmest: -3), forKey: "oslo")
    try forecasts.setObject(Forecast("Quito", "rain", warmest: 19), forKey: "quito", expiry: .seconds(3600))
    try forecasts.update(forKey: "oslo") { $0.summary = "more snow" }
    let oslo = try forecasts.object(forKey: "oslo")
    line("loaded", "\(oslo.city): \(oslo.summary), \(oslo.hours[14].celsius) °C at two")

    title("The contents of each tier")
    try printTiers(memory, disk)

    title("The same store as another type")
    let headlines = forecasts.transform(to: .codable(Headline.self).zlib())
    line("as a Headline", "\(try headlines.object(forKey: "lisbon"))")
    let numbers = forecasts.transform(to: .codable([Int].self).zlib())
    do {
      line("as numbers", "\(try numbers.object(forKey: "lisbon"))")
    } catch StorageError.typeNotMatch {
      line("as numbers", "typeNotMatch, and the value is unchanged")
    }

    title("An hour later")
    time.advance(by: 3600)
    line("quito", try forecasts.objectIfPresent(forKey: "quito")?.summary ?? "expired, so it is not returned")
    try forecasts.removeExpiredObjects()
    try printTiers(memory, disk)
  }

  static func afterRestart(in folder: URL, _ time: ManualClock) throws {
    title("After a restart: a new store over the same folder")
    let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig(clock: time.clock))
    let disk = try DiskStorage<String>(
      config: DiskConfig(name: "forecasts", directory: folder, clock: time.clock))
    let forecasts = Storage(front: memory, back: disk, transformer: .codable(Forecast.self).zlib())
    line("keys", try forecasts.keys().sorted().joined(separator: ", "))
    line("in memory", "\(memory.count) entries")
    line("loaded", "Oslo: \(try forecasts.object(forKey: "oslo").summary)")
    line("in memory", "\(try memory.keys().joined()), promoted by the read")
  }
}

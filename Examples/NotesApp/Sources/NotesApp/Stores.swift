import Foundation
import StrataObservation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Note: Codable, Sendable, Equatable {
  var title = ""
  var text = ""
}

struct Forecast: Codable, Sendable, Equatable {
  var words: String
}

enum Theme: String, Codable, Sendable, CaseIterable { case light, dark }

/// The stores of the app: made once, and given to the views.
struct Stores: Sendable {
  let notes: Storage<String, Note>
  let forecasts: LoadingStorage<String, Forecast>
  let settings: Storage<String, Data>

  /// The stores of the user.
  static func onDisk() throws -> Stores {
    // The memory in front gives half of its entries back when the app goes to the background.
    let memory = MemoryConfig(countLimit: 1000, backgroundEviction: 0.5)
    let forecasts = try Storage<String, Forecast>(
      diskConfig: DiskConfig(name: "forecasts", maxSize: 10_000_000), memoryConfig: memory,
      transformer: .codable(Forecast.self))
    return Stores(
      notes: try Storage(
        diskConfig: DiskConfig(name: "notes"), memoryConfig: memory, transformer: .codable(Note.self)),
      forecasts: forecasts.loading(
        LoadPolicy(freshFor: .seconds(600), staleFor: .seconds(86_400)), value: { try await forecast($0) }),
      settings: try Storage(
        diskConfig: DiskConfig(name: "settings"), memoryConfig: memory, transformer: .data))
  }

  private static func forecast(_ place: String) async throws -> Forecast {
    guard let site = URL(string: "https://weather.example.com/") else { throw URLError(.badURL) }
    let (data, _) = try await URLSession.shared.data(from: site.appending(path: place))
    return try JSONDecoder().decode(Forecast.self, from: data)
  }

  /// Stores in memory, for previews and tests.
  static func inMemory(clock: StorageClock = .system) -> Stores {
    func storage<Value: Codable & Sendable>(of type: Value.Type) -> Storage<String, Value> {
      let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig(clock: clock))
      return Storage(TypeWrapperStorage(memory, transformer: .codable(type)))
    }
    return Stores(
      notes: storage(of: Note.self),
      forecasts: storage(of: Forecast.self).loading(value: { place in Forecast(words: "Sunny in \(place)") }),
      settings: storage(of: Data.self))
  }
}

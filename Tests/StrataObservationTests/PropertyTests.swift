import StrataObservation
import StrataTestKit
import TestSupport
import Testing

private enum Theme: String, Codable, Sendable { case light, dark }

private struct Window: Codable, Sendable, Equatable {
  var width = 100
  var height = 50
}

private let settings = memoryStorage().storage
private let themes = settings.transform(to: Theme.self)

/// A model as an app has it: the properties are observable, and stored.
@MainActor
@Observable
private final class Settings {
  @ObservationIgnored @Stored("theme", in: themes) var theme = Theme.light
  // The same store, retyped by the property.
  @ObservationIgnored @Stored("window", in: settings) var window = Window()
  @ObservationIgnored @Stored("name", in: settings.async) var name = "Ada"

  var phase: StoredPhase { _window.storedValue.phase }
}

@Suite("A stored property", .endsInTime)
@MainActor
struct PropertyTests {
  @Test("it has its default until a value is stored, by whomever")
  func defaults() async throws {
    try await settings.removeAll()
    let model = Settings()
    #expect(model.theme == .light && model.window == Window() && model.name == "Ada")
    await until { model.phase.isLoaded }
    let watcher = Watcher { model.theme }
    try await themes.setObject(.dark, forKey: "theme")
    await until { watcher.seen == [.light, .dark] }
    try await themes.removeObject(forKey: "theme")
    await until { model.theme == .light }
  }

  @Test("what is set is shown at once, stored, and seen by another model")
  func setting() async throws {
    try await settings.removeAll()
    let (model, other) = (Settings(), Settings())
    model.window.width = 300
    model.name = "Grace"
    #expect(model.window == Window(width: 300) && model.name == "Grace")
    await until { other.window.width == 300 && other.name == "Grace" }
    let stored = try await settings.transform(to: Window.self).object(forKey: "window")
    #expect(stored == Window(width: 300))
  }

  @Test("its projection is a binding, of the value and of its parts")
  func binding() async throws {
    try await settings.removeAll()
    let model = Settings()
    let window = model.$window
    window.width.wrappedValue = 7
    window.wrappedValue.height = 8
    #expect(model.window == Window(width: 7, height: 8))
    #expect(window.width.wrappedValue == 7 && window.projectedValue.height.wrappedValue == 8)
    await until { model.phase.isLoaded }
    // A binding made by hand has the same form.
    var text = ""
    let binding = StoredBinding(get: { text }, set: { text = $0 })
    binding.wrappedValue = "Ada"
    #expect(text == "Ada" && binding.wrappedValue == "Ada")
  }

  @Test("a model that is released ends its observations")
  func released() async throws {
    let (store, memory) = memoryStorage()
    let observers = try #require(memory.coordinator).observers
    @MainActor final class Model {
      @Stored var name: String
      init(_ store: Storage<String, String>) { _name = Stored(wrappedValue: "", "name", in: store) }
    }
    var model: Model? = Model(store)
    #expect(observers.isEmpty)
    #expect(model?.name == "")
    #expect(!observers.isEmpty)
    model = nil
    await until { observers.isEmpty }
  }
}

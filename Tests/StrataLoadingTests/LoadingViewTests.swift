import Foundation
import Strata
import TestSupport
import Testing

@Suite("Loading: views of other types and observers", .timeLimit(.minutes(5)), .endsInTime)
struct LoadingViewTests {
  struct City: Codable, Sendable, Equatable { var name: String, people: Int }
  struct Name: Codable, Sendable, Equatable { var name: String }

  func world() -> (Storage<String, City>, LoadingStorage<String, City>, Shared<Int>) {
    let loads = Shared(0)
    let storage = Storage<String, City>(
      front: MemoryStorage<String, TypeWrapper>(), back: MemoryStorage<String, Data>(),
      transformer: .codable(City.self).zlib())
    let cities = storage.loading { request in
      loads.change { $0 += 1 }
      return .value(City(name: request.key, people: loads.value), tags: ["t"])
    }
    return (storage, cities, loads)
  }

  @Test("a view loads through the loading store, and shares its values and removals")
  func view() async throws {
    let (_, cities, loads) = world()
    let names = cities.transform(to: Name.self)
    #expect(try await names.object(forKey: "a") == Name(name: "a"))
    #expect(try await cities.object(forKey: "a") == City(name: "a", people: 1))
    #expect(try await cities.transformCodable(ofType: Name.self).object(forKey: "a") == Name(name: "a"))
    #expect(loads.value == 1)
    try await cities.remove(tagged: "t")
    #expect(try await names.object(forKey: "a") == Name(name: "a"))
    #expect(try await names.object(forKey: "b") { Name(name: "unused") } == Name(name: "b"))
    #expect(loads.value == 3)
    try await names.removeObject(forKey: "a")
    #expect(try await cities.object(forKey: "a").people == 4)
    await #expect(throws: StorageError.typeNotMatch) {
      try await names.setObject(Name(name: "no people"), forKey: "a")
    }
    #expect(try await cities.object(forKey: "a").people == 4)
    let bytes = try await cities.transformData().object(forKey: "a")
    #expect(try Transformer.codable(City.self).zlib().fromData(bytes).people == 4)
  }

  @Test("a loading store of bytes is read as another type")
  func bytes() async throws {
    let bytes = MemoryStorage<String, Data>().loading(value: { Data($0.utf8) })
    let numbers = bytes.transform(to: Int.self)
    #expect(try await numbers.object(forKey: "17") == 17)
    try await numbers.setObject(18, forKey: "a")
    #expect(try await bytes.object(forKey: "a") == Data("18".utf8))
  }

  @Test("observers see plain values, of loads too; other stores have neither views nor observers")
  func observers() async throws {
    let (_, cities, _) = world()
    let (changes, values) = (Shared<[String]>([]), Shared<[City?]>([]))
    let watcher = Shared(0)
    try cities.addStorageObserver(watcher) { _, _, change in changes.change { $0.append("\(change)") } }
    let token = try cities.addObserver(watcher, forKey: "a") { _, _, change in
      if case .edit(_, let after) = change {
        values.change { $0.append(after) }
      } else {
        values.change { $0.append(nil) }
      }
    }
    _ = try await cities.object(forKey: "a")
    try await cities.setObject(City(name: "b", people: 9), forKey: "a")
    try await cities.removeObject(forKey: "a")
    await until { values.value.count == 3 && changes.value.count == 3 }
    #expect(values.value == [City(name: "a", people: 1), City(name: "b", people: 9), nil])
    token.cancel()
    let plain = MemoryStorage<String, Cached<Int>>().loading(value: { _ in 1 })
    #expect(throws: StorageError.invalidConfiguration) {
      try plain.addStorageObserver(watcher) { _, _, _ in }
    }
    await #expect(throws: StorageError.invalidConfiguration) {
      try await plain.transform(to: String.self).object(forKey: "a")
    }
  }

  @Test("a plain store says that a value was written through a loading store")
  func message() async throws {
    let (storage, cities, _) = world()
    _ = try await cities.object(forKey: "a")
    for type in [true, false] {
      do {
        _ =
          try await type
          ? storage.object(forKey: "a").name : storage.transform(to: Name.self).object(forKey: "a").name
        Issue.record("the value was read")
      } catch {
        #expect("\(error)".contains("written through a loading store"), "\(error)")
        #expect(!"\(error)".contains("could not be read as"), "\(error)")
      }
    }
  }
}

import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// Tests of the examples in the guide, as users would write them.
@Suite struct MappingReadmeTests {
  struct City: Codable, Equatable { var name: String, foundationYear: Int }
  enum ImageKey: String { case kitten, puppy }

  let disk = DictionaryStorage<String, Data>()

  @Test func citiesAreJSONObjects() async throws {
    let cities = disk.mapJSONObject(City.self)
    let kharkiv = City(name: "Kharkiv", foundationYear: 1654)
    try await cities.set(kharkiv, forKey: "kharkiv")
    #expect(try await cities.retrieve(forKey: "kharkiv") == kharkiv)
    try await cities.removeObject(forKey: "kharkiv")
    #expect(try await cities.keys().isEmpty)
  }

  @Test func valuesAndKeysAreMapped() async throws {
    struct Image: Equatable { var pixels: [UInt8] }
    let images = disk.mapValues(
      to: Image.self,
      mapTo: { data in Image(pixels: Array(data)) },
      mapFrom: { image in Data(image.pixels) })
    let keyedImages = images.mapKeys(to: ImageKey.self, \.rawValue)
    try await keyedImages.set(Image(pixels: [1, 2]), forKey: .kitten)
    #expect(try await keyedImages.retrieve(forKey: .kitten) == Image(pixels: [1, 2]))
    #expect(disk.objects == ["kitten": Data([1, 2])])
    #expect(try await images.mapKeys(to: ImageKey.self).keys() == [.kitten])
  }

  @Test func aFolderOfTextsIsReadOnly() async throws {
    try await disk.set(Data("Hello".utf8), forKey: "greeting")
    let immutable: some ReadableStorage<String, String> = disk.mapString(withEncoding: .utf8).readOnly()
    #expect(try await immutable.retrieve(forKey: "greeting") == "Hello")
    let texts = disk.mapString()
    try await texts.writeOnly().set("Bye", forKey: "greeting")
    #expect(try await immutable.retrieve(forKey: "greeting") == "Bye")
  }

  @Test func settingsAreASingleElement() async throws {
    let settingsStorage = disk.mapJSONDictionary().singleKey("settings")
    try await settingsStorage.set(["theme": "dark", "size": 12])
    let settings = try await settingsStorage.retrieve()
    #expect(settings["theme"]?.string == "dark" && settings["size"]?.int == 12)
  }

  @Test func everyMappingKeepsWhatTheStoreCan() async throws {
    let texts = disk.mapString()
    let documents = disk.mapJSON()
    let plists = disk.mapPlist()
    let xml = disk.mapPlistDictionary(format: .xml)
    try await texts.setObject("5", forKey: "a", expiry: .never)
    #expect(try await documents.object(forKey: "a") == 5)
    try await plists.setObject(["b": 5], forKey: "a", expiry: .never)
    #expect(try await xml.object(forKey: "a") == ["b": 5])
    for store: any SyncStorageAware in [texts, documents, plists, xml] {
      try await store.removeAll()
    }
    #expect(disk.objects.isEmpty)
  }
}

import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

private struct Plain: StorageDesign {}
private struct Generic<Element>: StorageDesign {}
private struct Named: StorageDesign {
  var storageName: String { "a name of its own" }
}
private enum Outer {
  struct Inner: StorageDesign {}
}

@Suite("StorageDesign: the description of a store")
struct StorageDesignTests {
  @Test("the default name is the type's, without generic arguments")
  func names() {
    #expect(Plain().storageName == "Plain")
    #expect(Generic<[String: Set<Int>]>().storageName == "Generic")
    #expect(Outer.Inner().storageName == "Inner")
    #expect(Named().storageName == "a name of its own")
    #expect(DictionaryStorage<String, Int>().storageName == "DictionaryStorage")
  }

  @Test("an existential has the same name")
  func existential() {
    let designs: [any StorageDesign] = [Plain(), Generic<Int>(), Named()]
    #expect(designs.map(\.storageName) == ["Plain", "Generic", "a name of its own"])
  }

  @Test("by default a store has no inner stores")
  func wrapped() { #expect(Plain().wrappedStorages.isEmpty) }
}

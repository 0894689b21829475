import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

let strategies: [CacheStrategy] = [.noCache, .cache, .cacheOnFailure]

/// A delegate over one key of a store that fails on demand.
struct DelegateUnderTest {
  let store = DictionaryStorage<String, Int>()
  let delegate: StorageDelegate<Int>

  init(_ strategy: CacheStrategy) {
    delegate = StorageDelegate(store, forKey: "item", cacheStrategy: strategy)
  }

  var stored: Int? { store.objects["item"] }

  /// Changes the store directly, without the delegate.
  func storeDirectly(_ item: Int?) throws {
    if let item { try store.setObject(item, forKey: "item") } else { try store.removeObject(forKey: "item") }
  }
}

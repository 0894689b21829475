import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport

/// The variant of a combinator's functions that a test uses.
enum Half: CaseIterable { case sync, async }

/// The keyed combinator with a store and a cache that both fail on demand.
struct LinkUnderTest {
  let time = ManualClock()
  let store: DictionaryStorage<String, Int>
  let cache: DictionaryStorage<String, Int>
  let link: any StorageAware<String, Int>

  init(_ strategy: CacheStrategy, _ half: Half) {
    store = DictionaryStorage(clock: time.clock)
    cache = DictionaryStorage(clock: time.clock)
    let link = CacheStrategyStorage(store, cache: cache, strategy: strategy)
    self.link = half == .sync ? SyncFace(base: link) : link
  }

  var contents: [[String: Int]] { [store.objects, cache.objects] }
}

import StrataCore
import TestSupport

/// Which half of a link is used.
enum Half: CaseIterable { case sync, async }

/// The keyed link over a store and with a cache that both fail on demand.
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

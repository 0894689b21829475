/// The names of the contenders in all tables.
enum Name {
  static let dictionary = "Dictionary, mutex"
  static let shards = "Dictionary, 16 shards"
  static let actor = "Dictionary, actor"
  static let lru = "textbook LRU, mutex"
  static let nsCache = "NSCache"
  static let memory = "MemoryStorage"
}

import StrataRocksDB

@main struct RocksDBExample {
  static func main() {}
}

import StrataLMDB

@main struct LMDBExample {
  static func main() {}
}

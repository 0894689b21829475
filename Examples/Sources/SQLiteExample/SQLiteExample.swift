import StrataSQLite

@main struct SQLiteExample {
  static func main() {}
}

import StrataMemory

/// A store in memory keeps used entries and stays within its limits.
@main
struct MemoryExample {
  static func main() throws {
    try limitByCount()
    try limitByCost()
    try expiry()
  }

  static func limitByCount() throws {
    print("At most three entries: the least useful entry is evicted\n")
    let pages = MemoryStorage<String, String>(config: MemoryConfig(countLimit: 3))

    for name in ["home", "news", "shop"] { try pages.setObject("<html>\(name)</html>", forKey: name) }
    print("  stored home, news, shop     ", try pages.sortedKeys())

    _ = try pages.object(forKey: "home")
    try pages.setObject("<html>help</html>", forKey: "help")
    print("  read home, then stored help ", try pages.sortedKeys())
  }

  static func limitByCost() throws {
    print("\nAt most 1000 pixels: a cost for each entry, by a function of your own\n")
    let images = MemoryStorage<String, Image>(
      config: MemoryConfig(totalCostLimit: 1000), cost: { _, image in image.width * image.height })

    try images.setObject(Image(width: 20, height: 20), forKey: "icon")
    try images.setObject(Image(width: 30, height: 20), forKey: "button")
    print("  icon of 400, button of 600  ", try images.sortedKeys())

    try images.setObject(Image(width: 25, height: 20), forKey: "photo")
    print("  then a photo of 500         ", try images.sortedKeys())

    try images.setObject(Image(width: 50, height: 50), forKey: "poster")
    print("  a poster of 2500 is not kept", try images.sortedKeys())
  }

  static func expiry() throws {
    print("\nValid for a minute, by a manual clock\n")
    let time = ManualClock()
    let tokens = MemoryStorage<String, Int>(config: MemoryConfig(expiry: .seconds(60), clock: time.clock))

    try tokens.setObject(4711, forKey: "ada")
    try tokens.setObject(1729, forKey: "srinivasa", expiry: .never)
    time.advance(by: 59)
    print("  after 59 seconds            ", try tokens.sortedKeys())
    time.advance(by: 1)
    print("  after 60 seconds            ", try tokens.sortedKeys())

    print("  still in memory             ", tokens.count, "entries")
    try tokens.removeExpiredObjects()
    print("  after a sweep               ", tokens.count, "entry")
  }
}

struct Image {
  var width: Int
  var height: Int
}

extension MemoryStorage where Key == String {
  /// Returns the sorted keys as a list for people.
  func sortedKeys() throws -> String { try keys().sorted().joined(separator: ", ") }
}

import StrataMemory

@main
enum Memory {
  static func main() throws {
    let users = MemoryStorage<String, String>()
    try users.setObject("Ada", forKey: "ada")
    print(try users.object(forKey: "ada"))
  }
}

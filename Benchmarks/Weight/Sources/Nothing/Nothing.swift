@main
enum Nothing {
  static func main() {
    var users: [String: String] = [:]
    users["ada"] = "Ada"
    print(users["ada"] ?? "")
  }
}

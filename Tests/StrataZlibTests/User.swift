struct User: Codable, Equatable, Sendable {
  var id = 7
  var name = "Ada"
  var tags = ["a", "b", "a", "b"]
}

/// A typical small value with three fields.
struct Reading: Codable, Sendable, Weighable {
  let id: Int
  let place: String
  let celsius: Double

  init(number: Int) {
    id = number
    place = "station \(number % 100)"
    celsius = Double(number % 600) / 10 - 20
  }

  var weight: Int { id }
}

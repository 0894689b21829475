/// The value that the tour stores: a forecast of two days, hour by hour.
struct Forecast: Codable, Sendable {
  var city: String
  var summary: String
  var hours: [Hour]

  struct Hour: Codable, Sendable {
    var hour: Int
    var celsius: Int
    var rainInPercent: Int
  }

  init(_ city: String, _ summary: String, warmest: Int) {
    self.city = city
    self.summary = summary
    hours = (0..<48).map { hour in
      Hour(hour: hour, celsius: warmest - abs(hour % 24 - 14), rainInPercent: hour * 7 % 30)
    }
  }
}

/// A smaller type that decodes the parts of a forecast that a reader needs.
struct Headline: Codable, Sendable {
  var city: String
  var summary: String
}

/// Functions that return SVG elements as text.
enum SVG {
  typealias Place = (x: Double, y: Double)

  static let ink = "#1d2733"
  static let muted = "#66717e"
  static let faint = "#e3e7eb"

  static func line(_ from: Place, _ to: Place, _ colour: String) -> String {
    """
    <line x1="\(number(from.x))" y1="\(number(from.y))" x2="\(number(to.x))" y2="\(number(to.y))" \
    stroke="\(colour)" stroke-width="1"/>
    """
  }

  static func path(_ places: [Place], _ colour: String, width: Double, isDashed: Bool) -> String {
    let points = places.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    return """
      <polyline points="\(points)" fill="none" stroke="\(colour)" stroke-linejoin="round" \
      stroke-width="\(number(width))"\(isDashed ? " stroke-dasharray=\"6 5\"" : "")/>
      """
  }

  static func dot(_ place: Place, radius: Double, fill: String, stroke: String) -> String {
    """
    <circle cx="\(number(place.x))" cy="\(number(place.y))" r="\(number(radius))" fill="\(fill)" \
    stroke="\(stroke)" stroke-width="1.4"/>
    """
  }

  static func text(
    _ text: String, at place: Place, size: Int = 13, colour: String = ink, anchor: String = "start",
    isBold: Bool = false, hasHalo: Bool = false
  ) -> String {
    // A halo separates text from the lines behind it.
    let halo = hasHalo ? " stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"" : ""
    return """
      <text x="\(number(place.x))" y="\(number(place.y))" font-size="\(size)" fill="\(colour)" \
      text-anchor="\(anchor)"\(isBold ? " font-weight=\"bold\"" : "")\(halo)>\(escaped(text))</text>
      """
  }

  /// Returns a self-contained document.
  static func document(title: String, width: Int, height: Int, _ elements: [String]) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
    height="\(height)" role="img" font-family="Helvetica, Arial, sans-serif">
    <title>\(escaped(title))</title>
    <rect width="\(width)" height="\(height)" fill="#ffffff"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private static func number(_ value: Double) -> String { formatted(value, "%.1f") }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

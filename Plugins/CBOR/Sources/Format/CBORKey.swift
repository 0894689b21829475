/// A key of a coding path, or of a map.
struct CBORKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }

  /// Creates a key of a map from a whole number.
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }

  /// Creates the key of an element, with the name that Foundation's coders use.
  init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  static let superclass = CBORKey(stringValue: "super")
}

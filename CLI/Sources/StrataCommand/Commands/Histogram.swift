/// A histogram of whole numbers whose classes end at powers of two.
struct Histogram {
  private var counts: [Int] = []

  mutating func add(_ number: Int) {
    let place = number < 1 ? 0 : Int.bitWidth - (number - 1).leadingZeroBitCount
    while counts.count <= place { counts.append(0) }
    counts[place] += 1
  }

  /// The classes that are not empty: the largest number of each class, and how many numbers it has.
  private var classes: [(most: Int, count: Int)] {
    counts.enumerated().filter { $0.element > 0 }.map { (1 << $0.offset, $0.element) }
  }

  var json: JSON {
    .array(classes.map { .object(["atMost": .integer($0.most), "count": .integer($0.count)]) })
  }

  var text: String {
    let sum = counts.reduce(0, +)
    return classes.map { Self.bar("≤ " + Units.bytes($0.most), $0.count, of: sum) }.joined()
  }

  static func bar(_ name: String, _ count: Int, of sum: Int) -> String {
    let length = sum == 0 ? 0 : (count * 30 + sum - 1) / sum
    return
      "\(Units.right(name, 12))  \(Units.right(Units.count(count), 10))  \(String(repeating: "█", count: length))\n"
  }
}

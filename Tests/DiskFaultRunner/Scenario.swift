import StrataDisk

/// A store, its initial contents, and the steps that run while a fault occurs.
struct Scenario {
  let name: String
  var layout = DiskLayout.automatic
  var durability = DiskDurability.process
  var maxSize: UInt = 0
  /// Whether each initial entry has its own segment, so that there are more segments than the store keeps open.
  var isScattered = false
  /// The steps that run before the fault.
  var before: [Step] = []
  /// The damage to the files after these steps.
  var strike: Strike?
  let steps: [Step]

  /// Whether the store may evict entries to keep its limit.
  var evicts: Bool { maxSize > 0 }

  static let all = [
    Scenario(name: "automatic", before: some, steps: changes),
    Scenario(name: "files", layout: .files, before: some, steps: changes),
    Scenario(name: "power", durability: .power, before: some, steps: changes),
    Scenario(
      name: "compaction",
      before: (0..<20).map { .set("small \($0)", 100) } + [.set("large", 70_000)]
        + (0..<9).map { .set("k\($0 % 2)", 60_000) },
      steps: (0..<6).map { .set("k\($0 % 2)", 60_000) } + [
        .read("small 3"), .read("large"), .keys, .remove("k0"),
      ]),
    Scenario(
      name: "limited", maxSize: 40_000,
      before: (0..<20).map { .set("k\($0)", 900) } + [.read("k15"), .read("k16")],
      steps: (20..<32).map { .set("k\($0)", 900) }
        + [.read("k15"), .set("k16", 3000), .set(["a": 500, "b": 2500]), .keys, .measure, .remove("k31")]),
    Scenario(
      name: "limited, large values", maxSize: 600_000, before: (0..<5).map { .set("k\($0)", 70_000) },
      steps: [.read("k3")] + (5..<10).map { .set("k\($0)", 80_000) } + [.set("small", 10), .keys, .measure]),
    Scenario(name: "streams", before: some, steps: streams),
    Scenario(name: "streams of files", layout: .files, before: some, steps: streams),
    Scenario(name: "streams with power", durability: .power, before: some, steps: streams),
    Scenario(
      name: "limited streams", maxSize: 600_000, before: (0..<5).map { .set("k\($0)", 70_000) },
      steps: [.read("k3")] + (5..<10).map { .stream("k\($0)", 80_000) } + [
        .set("small", 10), .keys, .measure,
      ]),
    Scenario(
      name: "recovery", before: some, strike: .killed, steps: [.read("small 1"), .keys, .set("new", 50)]),
    Scenario(
      name: "recovery without a control file", before: some, strike: .torn,
      steps: [.read("small 1"), .set("new", 50), .keys]),
    Scenario(
      name: "damage", before: some, strike: .damaged("small 2"),
      steps: [.read("small 2"), .read("small 3"), .keys, .set("new", 50)]),
    Scenario(
      name: "repair", before: some, strike: .damaged("small 2"), steps: [.repair, .read("small 3"), .repair]),
    Scenario(
      name: "repair of many segments", durability: .power, isScattered: true,
      before: (0..<97).map { .set("k\($0)", 50) }, strike: .damaged("k0"), steps: [.repair]),
    Scenario(
      name: "taking over", before: some, strike: .ofFiles,
      steps: [.read("small 1"), .read("large 1"), .set("small 2", 20), .remove("small 3"), .keys, .measure]),
  ]

  private static let some: [Step] =
    (0..<6).map { .set("small \($0)", 40 * $0) } + [.set("large 0", 70_000), .set("large 1", 66_000)]

  private static let streams: [Step] = [
    .stream("large 0", 70_000), .stream("film", 1_100_000), .read("film"), .stream("large 1", 80_000),
    .set("film", 66_000), .stream("film", 90_000), .remove("large 0"), .stream("small 1", 100), .keys,
    .measure,
    .reopen, .read("film"), .read("large 1"), .removeAll, .stream("last", 70_000), .read("last"),
  ]

  private static let changes: [Step] = [
    .set("new", 100), .set("small 1", 5000), .set("large 0", 80_000), .set("small 2", 70_000),
    .set("large 1", 30),
    .set(["a": 10, "b": 70_000, "small 3": 6000]), .read("large 0"), .readMany(["a", "b", "small 4"]), .keys,
    .remove("small 4"), .remove(["a", "b", "absent"]), .sweep, .measure, .reopen, .read("small 5"),
    .removeAll,
    .set("last", 20), .read("last"),
  ]
}

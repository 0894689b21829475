/// The possible contents of a store: several states, since an interrupted step may have taken effect or not.
struct Model {
  typealias State = [String: Value]

  private(set) var states: [State] = [[:]]
  /// Whether a batch may have been stored in part.
  private(set) var isLoose = false
  /// All keys that are ever written.
  let keys: [String]

  init(of scenario: Scenario) {
    keys = Set(
      (scenario.before + scenario.steps).flatMap { step -> [String] in
        switch step {
        case .set(let sizes): Array(sizes.keys)
        case .remove(let keys), .readMany(let keys): keys
        case .read(let key), .stream(let key, _): [key]
        default: []
        }
      }
    ).sorted()
    for (number, step) in scenario.before.enumerated() { apply(step, number: number - scenario.before.count) }
    if let key = scenario.strike?.damagedKey { allow { $0[key] = nil } }
  }

  /// Applies a step that has completed.
  mutating func apply(_ step: Step, number: Int) {
    let changes = step.changes(number: number, keys: keys)
    for i in states.indices { states[i].merge(changes) }
  }

  /// Applies a step that may or may not have completed.
  mutating func mayApply(_ step: Step, number: Int, inParts: Bool) {
    let changes = step.changes(number: number, keys: keys)
    if changes.isEmpty { return }
    allow { $0.merge(changes) }
    if inParts { isLoose = true }
  }

  private mutating func allow(_ change: (inout State) -> Void) {
    states += states.map { state in
      var state = state
      change(&state)
      return state
    }
  }

  /// Returns the possible values of a key. `nil` stands for an absent key.
  func values(of key: String) -> [Value?] { states.map { $0[key] } }

  /// Returns the reason why a store must not contain `found`, or `nil` if it may.
  func objection(to found: State, evicts: Bool) -> String? {
    for key in keys where !(evicts && found[key] == nil) && !values(of: key).contains(found[key]) {
      return "\(key) holds \(found[key].map { "\($0)" } ?? "nothing") and not one of \(values(of: key))"
    }
    if isLoose || evicts || states.contains(found) { return nil }
    return "the entries do not belong together: \(found)"
  }
}

extension [String: Value] {
  fileprivate mutating func merge(_ changes: [String: Value?]) {
    for (key, value) in changes { self[key] = value }
  }
}

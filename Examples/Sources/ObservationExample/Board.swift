import Foundation
import StrataObservation

/// A view for terminals: it draws what it reads, and draws again when that changes.
@MainActor
final class Board {
  typealias Departure = ObservationExample.Departure

  private let trains: StoredCollection<String, Departure>
  private let first: StoredValue<Departure>
  private(set) var count = 0

  init(_ store: AsyncStorage<String, Departure>) {
    trains = StoredCollection(store)
    first = StoredValue(store, forKey: "IC 1")
  }

  /// Draws until the first train goes to a place.
  func show(until place: String) async {
    while first.value?.to != place {
      await withCheckedContinuation { change in
        // The closure is called once, at the first change of anything that `draw` has read.
        withObservationTracking(draw) { change.resume() }
      }
    }
    draw()
  }

  private func draw() {
    let lines = trains.elements.sorted { $0.value.time < $1.value.time }.map { train in
      let delay = train.value.delay == 0 ? "" : "  +\(train.value.delay) min"
      return "\(train.key)  \(train.value.time)  \(train.value.to)\(delay)"
    }
    count += 1
    print("  next: \(first.value?.to ?? "…")  |  \(lines.joined(separator: "  |  "))")
  }
}

import Observation
import StrataObservation
import TestSupport
import Testing

/// Watches a property as a view does: by `withObservationTracking`, again after each change, in the next turn of the
/// main actor.
@MainActor
final class Watcher<Value: Sendable> {
  /// What was read at first, and after each change.
  private(set) var seen: [Value] = []
  private let read: @MainActor () -> Value

  init(_ read: @escaping @MainActor () -> Value) {
    self.read = read
    look()
  }

  private func look() {
    let value = withObservationTracking(read) {
      // Unstructured, as the turn in which a view is drawn.
      Task { @MainActor [weak self] in self?.look() }
    }
    seen.append(value)
  }
}

/// A store of strings or numbers in memory, under one key each.
func memoryStorage<Value: Codable & Sendable>(
  of type: Value.Type = String.self
) -> (storage: Storage<String, Value>, memory: MemoryStorage<String, TypeWrapper>) {
  let memory = MemoryStorage<String, TypeWrapper>()
  return (Storage(TypeWrapperStorage(memory, transformer: .codable(Value.self))), memory)
}

extension StoredValue {
  /// Waits until the value has been read, and no phase but `.loading` is shown.
  func settled(sourceLocation: SourceLocation = #_sourceLocation) async {
    await until({ if case .loading = phase { false } else { true } }, sourceLocation: sourceLocation)
  }
}

extension StoredPhase {
  var isLoaded: Bool { if case .loaded = self { true } else { false } }
  var isLoading: Bool { if case .loading = self { true } else { false } }
  var isStale: Bool { if case .stale = self { true } else { false } }
}

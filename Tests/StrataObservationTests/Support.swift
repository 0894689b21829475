import StrataObservation
import TestSupport
import Testing

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

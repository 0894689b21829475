/// How far the value of a ``StoredValue`` or the keys of a ``StoredCollection`` have been read.
///
/// ```swift
/// @MainActor func text(of name: StoredValue<String>) -> String {
///   switch name.phase {
///   case .loading: "…"
///   case .loaded, .stale: name.value ?? "nobody"
///   case .failed(let error): "\(name.value ?? "nobody"), \(error)"
///   }
/// }
/// ```
public enum StoredPhase: Sendable {
  /// The store has not answered yet, or its loader is looking for a first value.
  case loading
  /// The value is the stored one. `nil` means that nothing is stored.
  case loaded
  /// The value is one that a loader has to replace. It does so now, if this is the first value that was read.
  case stale
  /// The last read, write or load failed. The value is the last one that is known to be stored.
  case failed(any Error)

  /// The error of a failure, or `nil`.
  public var error: (any Error)? {
    if case .failed(let error) = self { return error }
    return nil
  }

  /// Returns whether a view need not be drawn again for a change from another phase to this one.
  func repeats(_ other: StoredPhase) -> Bool {
    switch (self, other) {
    case (.loading, .loading), (.loaded, .loaded), (.stale, .stale): true
    default: false
    }
  }
}


/// A promise that every store keeps.
public enum Contract: String, CaseIterable, Sendable {
  /// What was written is read.
  case basics
}

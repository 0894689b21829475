// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

public struct UnixSignal: Hashable, Sendable {
  let name: String

  public static let sigterm = UnixSignal(name: "SIGTERM")
  public static let sigint = UnixSignal(name: "SIGINT")
}

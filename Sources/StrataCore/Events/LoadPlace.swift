/// Whether a load was started for a waiting caller.
///
/// ```swift
/// for await event in users.events {
///   if case .loaded(let time, .foreground) = event.kind { print("a caller waited \(time)") }
/// }
/// ```
public enum LoadPlace: String, Sendable, Equatable {
  /// A caller started the load and waits for it.
  case foreground
  /// The load was started for later readers.
  case background

  /// The place as the end of a text.
  var addition: String { self == .background ? ", in the background" : "" }
}

/// The two timeouts of a policy.
///
/// ```swift
/// for await event in users.events {
///   if case .timedOut(.hard) = event.kind { print("a caller got an error: \(event.key)") }
/// }
/// ```
public enum LoadTimeout: String, Sendable, Equatable {
  /// `LoadPolicy.softTimeout`: a stale value was returned.
  case soft
  /// `LoadPolicy.hardTimeout`.
  case hard
}

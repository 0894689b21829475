// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap

extension Logger {
  public func error(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
    log(level: .error, message(), metadata: metadata())
  }
}

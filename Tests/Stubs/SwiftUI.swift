// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The signatures of SwiftUI that the recipes call, so that their code type-checks on Linux.

@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

public struct Text: View {
  public init<Content: StringProtocol>(_ content: Content) {}
  public var body: Never { fatalError() }
}

@propertyWrapper
public struct State<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}

extension View {
  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of SwiftUI that this package, its example app and its pages use, so that such code type-checks on
// Linux.

@_exported public import Foundation
@_exported public import Observation

// MARK: State

/// Not isolated, as there.
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> { fatalError() }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
  public var projectedValue: Bindable<Value> { self }
  public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part>
  where Value: AnyObject { fatalError() }
}

public struct EnvironmentValues {
  public var scenePhase: ScenePhase { fatalError() }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}

// MARK: App

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  public static func main() {}
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

// MARK: Views

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// A view of which only the type is known.
public protocol Leaf: View where Body == Never {}

extension Leaf {
  public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Views<
    (repeat each Content)
  > { Views() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> {
    Either()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> {
    Either()
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Views<Content?> { Views() }
}

public struct Views<Content>: Leaf { nonisolated init() {} }
public struct Either<First, Second>: Leaf { nonisolated init() {} }

public struct Text: Leaf {
  public init<Content: StringProtocol>(_ content: Content) {}
}
public struct ProgressView: Leaf {
  public init() {}
}
public struct TextField: Leaf {
  public init(_ title: String, text: Binding<String>) {}
}
public struct Toggle: Leaf {
  public init(_ title: String, isOn: Binding<Bool>) {}
}
public struct Button: Leaf {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}
public struct Picker<Selection: Hashable, Content: View>: Leaf {
  public init(_ title: String, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {}
}
public struct Form<Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) {}
}
public struct List<Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) {}
}
public struct NavigationStack<Content: View>: Leaf {
  public init(@ViewBuilder root: () -> Content) {}
}
public struct NavigationLink<Destination: View>: Leaf {
  public init(_ title: String, @ViewBuilder destination: () -> Destination) {}
}
public struct ForEach<Elements: RandomAccessCollection, Content: View>: Leaf {
  public init(_ elements: Elements, @ViewBuilder content: @escaping (Elements.Element) -> Content)
  where Elements.Element: Identifiable {}
  public init<ID: Hashable>(
    _ elements: Elements, id: KeyPath<Elements.Element, ID>,
    @ViewBuilder content: @escaping (Elements.Element) -> Content
  ) {}
}

extension View {
  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
  public func navigationTitle(_ title: String) -> some View { self }
  public func tag<Tag: Hashable>(_ tag: Tag) -> some View { self }
  public func onChange<Value: Equatable>(of value: Value, _ action: @escaping () -> Void) -> some View {
    self
  }
}

@MainActor @preconcurrency
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

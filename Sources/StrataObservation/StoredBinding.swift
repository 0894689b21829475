#if canImport(SwiftUI)
  public import SwiftUI

  /// A value that a view reads and writes: SwiftUI's `Binding`, where SwiftUI can be imported. Elsewhere a type of the
  /// same form.
  public typealias StoredBinding<Value> = Binding<Value>
#else
  /// A value that a view reads and writes, in the form of SwiftUI's `Binding`. Where SwiftUI can be imported, it is
  /// that type.
  ///
  /// ```swift
  /// @MainActor func toggle(_ isOn: StoredBinding<Bool>) { isOn.wrappedValue.toggle() }
  /// ```
  @propertyWrapper
  @dynamicMemberLookup
  @MainActor
  public struct StoredBinding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    /// Creates a binding of two functions.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
      self.get = get
      self.set = set
    }

    /// The value. To set it calls the second function.
    public var wrappedValue: Value {
      get { get() }
      nonmutating set { set(newValue) }
    }

    /// The binding itself.
    public var projectedValue: StoredBinding<Value> { self }

    /// Returns a binding of a part of the value.
    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> StoredBinding<Part> {
      StoredBinding<Part>(get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
    }
  }
#endif

extension StoredValue {
  /// Returns a binding that reads `value`, or a default in place of `nil`, and writes by `set(_:)`. It keeps this
  /// object.
  ///
  /// What is written before a value has been read may be made of the default. It is stored if nothing is stored, or a
  /// value that equals the default. Otherwise the stored value stays, and `phase` has the error `.notYetRead`.
  ///
  /// ```swift
  /// @MainActor func field(_ name: StoredValue<String>) -> StoredBinding<String> { name.binding(default: "") }
  /// ```
  public func binding(default fallback: Value) -> StoredBinding<Value> {
    StoredBinding(get: { self.value ?? fallback }, set: { self.change(from: fallback, to: $0) })
  }
}

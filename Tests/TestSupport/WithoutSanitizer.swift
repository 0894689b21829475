import StrataTestKit
package import Testing

extension Trait where Self == ConditionTrait {
  /// For a test that measures memory: a sanitizer needs several times as much.
  package static var withoutSanitizer: Self {
    .enabled(if: !Sanitizer.isOn, "a sanitizer needs memory of its own")
  }
}

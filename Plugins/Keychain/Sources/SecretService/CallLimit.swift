#if os(Linux)
  internal import CSecret
  import Dispatch

  /// Limits the time of GLib calls that have no timeout of their own.
  enum CallLimit {
    /// Makes a call. If it takes longer than the given time, it is cancelled, and its error is thrown.
    static func running<R>(
      for milliseconds: CInt, _ call: (UnsafeMutablePointer<GCancellable>?) throws(GLibFailure) -> R
    ) throws(GLibFailure) -> R {
      let handle = Handle()
      let end = DispatchWorkItem { handle.cancel() }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds)), execute: end)
      defer { end.cancel() }
      return try call(handle.cancellable)
    }

    /// A handle for cancelling a call. Unchecked: the pointer never changes, and GLib can cancel from any thread.
    private final class Handle: @unchecked Sendable {
      let cancellable = g_cancellable_new()

      func cancel() { g_cancellable_cancel(cancellable) }

      deinit { g_object_unref(cancellable) }
    }
  }
#endif

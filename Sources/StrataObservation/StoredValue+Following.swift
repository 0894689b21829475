import StrataCore

extension StoredValue {
  typealias Look = StoredSource<Value>.Look

  /// Starts the task that reads the store after each signal. It holds no reference to this object.
  func follow(_ clock: any Clock<Duration>) {
    let publish: @MainActor @Sendable (Result<Look, any Error>, Int) -> Void = { [weak self] look, mark in
      self?.publish(look, mark)
    }
    let following = Task.detached { [source, signal] in
      var pause = Duration.seconds(1)
      for await _ in signal.signals {
        let mark = signal.mark
        let how = signal.takeHow()
        let look = await source.lookUp(how)
        await publish(look, mark)
        switch look {
        case .success(let look):
          pause = .seconds(1)
          signal.send(on: clock) { source.rest(of: look) }
        case .failure:
          if how.contains(.authoritative) { signal.askAuthority() }
          if !source.isShared { continue }
          signal.send(on: clock) { pause }
          pause = min(pause * 2, .seconds(30))
        }
      }
    }
    signal.run(.follower, following)
  }

  /// Reads the store again, and waits until `value` shows what it has. Over a `LoadingStorage`, loads a new value.
  ///
  /// Reads the authoritative tier, past memory in front of it: it finds what another process has written to a disk, and
  /// memory has it from then on.
  ///
  /// An error becomes the phase, and the last known value stays.
  ///
  /// ```swift
  /// @MainActor func pull(_ ada: StoredValue<User>) async {
  ///   await ada.refresh()
  ///   if let error = ada.phase.error { print("still \(ada.value?.name ?? "nobody"): \(error)") }
  /// }
  /// ```
  public func refresh() async {
    writeFailure = nil
    // What an earlier load has found may be older than this call.
    await loader.task?.value
    await load(.isAsked)?.value
    signal.askAuthority()
    let mark = signal.outdateReads()
    signal.send()
    await withCheckedContinuation { waiting.append((mark, $0)) }
  }

  /// Shows what a read has found, unless it is older than a write of this object.
  private func publish(_ result: Result<Look, any Error>, _ mark: Int) {
    // The read that follows the last write shows the value.
    guard mark >= lastWrite, writes.count == 0 else { return }
    show(result)
    let answered = waiting.filter { $0.mark <= mark }
    waiting.removeAll { $0.mark <= mark }
    for (_, caller) in answered { caller.resume() }
  }

  /// Shows what the store has, and starts a load if that is needed.
  func show(_ result: Result<Look, any Error>) {
    switch result {
    case .success(let look):
      if let reason = loader.reason(after: look) { load(reason) }
      if !look.isMissing || loader.task == nil && loader.failure == nil { isKnown = true }
      confirmed = look.isMissing ? loader.unstored : look.value
      let loadFailure = look.isMissing || look.isStale ? loader.failure : nil
      if let error = writeFailure ?? loadFailure {
        show(confirmed, .failed(error))
      } else if look.isMissing, loader.task != nil {
        show(confirmed, .loading)
      } else {
        show(confirmed, look.isStale ? .stale : .loaded)
      }
    case .failure(let error):
      show(confirmed, .failed(writeFailure ?? error))
      // To a loading store, a store that fails is empty.
      if loader.isFirst { load(.isMissing) }
      loader.isFirst = false
    }
  }

  func show(_ value: Value?, _ phase: StoredPhase) {
    if !areEqual(shown, value) { registrar.withMutation(of: self, keyPath: valuePath) { shown = value } }
    if !phase.repeats(shownPhase) {
      registrar.withMutation(of: self, keyPath: phasePath) { shownPhase = phase }
    }
  }
}

/// Returns whether two values are equal; `false` if their type cannot tell.
func areEqual<Value>(_ first: Value?, _ second: Value?) -> Bool {
  guard let first, let second else { return first == nil && second == nil }
  func equals<Known: Equatable>(_ known: Known) -> Bool { known == second as? Known }
  guard let known = first as? any Equatable else { return false }
  return equals(known)
}

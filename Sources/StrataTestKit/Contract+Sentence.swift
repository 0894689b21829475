extension Contract {
  /// The promise in a sentence.
  public var sentence: String {
    switch self {
    case .reading: "what was written is read, in every way there is to read it"
    case .absence: "what was never written is absent, and that is no failure"
    case .overwriting: "a write takes the place of what was there, its expiry included"
    case .removing: "what was removed is absent, and nothing else is touched"
    case .removingAll: "removeAll removes all, and the store can be used on"
    case .anyValue: "any bytes come back as they were, also none"
    case .hugeValue: "a huge value comes back as it was"
    case .anyKey: "any text is a key, and texts that differ are different keys"
    case .equalKeys: "texts that are equal in Swift are the same key"
    case .keys: "keys() lists what is stored and has not expired, each key once, as it was given"
    case .manyKeys: "100 000 keys are stored, listed, read and removed"
    case .sortedKeys: "keys() lists keys in ascending order"
    case .expiry: "a value is read until its date and not from that moment on"
    case .pastExpiry: "a value that is stored when it has already expired is never read"
    case .shortExpiry: "lives shorter than a second are kept as exactly as longer ones"
    case .ownExpiry: "what is stored without an expiry gets that of the store"
    case .sweeping: "removeExpiredObjects removes what has expired and nothing else"
    case .batches: "a batch does what its single operations would do"
    case .atomicBatches: "of a batch, others see all or nothing"
    case .parallelKeys: "tasks that use keys of their own do not disturb each other"
    case .linearizability: "operations on one key take effect one after the other"
    case .updating: "update changes a value as one operation, and what fails changes nothing"
    case .conditions: "setIfAbsent and touch decide and write in one step"
    case .bothWorlds: "with await and without, calls reach the store's own functions"
    case .cancellation: "an operation of a cancelled task is done whole, or throws and changes nothing"
    case .reopening: "a store that is opened again has all that was stored before"
    case .severalHandles: "two stores over one place, in one process, read each other's writes"
    case .severalProcesses: "two processes over one place read each other's writes"
    case .survivingKill:
      "what was acknowledged is there after the process was killed, nothing is there in part"
    case .fullDisk: "a write for which there is no room throws, and nothing that was stored is lost"
    case .readOnlyFolder:
      "where nothing may be written, a write throws, and what is stored is never taken for absent"
    }
  }
}

package enum Failure: Error { case first, second }

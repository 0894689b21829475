/// The hit ratio as a function of the cache size.
public struct HitCurve: Sendable {
  /// A point of the curve.
  public struct Point: Sendable, Equatable {
    /// The size of the cache.
    public let capacity: Int
    /// The share of requests that hit.
    public let hitRatio: Double

    /// Creates a point.
    public init(capacity: Int, hitRatio: Double) {
      self.capacity = capacity
      self.hitRatio = hitRatio
    }
  }

  /// The points, by ascending size.
  public let points: [Point]

  /// Creates a curve from points in any order.
  public init(_ points: [Point]) { self.points = points.sorted { $0.capacity < $1.capacity } }

  /// Returns the smallest size that reaches a hit ratio, by linear interpolation; `nil` if no size does.
  public func capacity(reaching goal: Double) -> Int? {
    guard let index = points.firstIndex(where: { $0.hitRatio >= goal }) else { return nil }
    guard index > 0 else { return points[0].capacity }
    let (low, high) = (points[index - 1], points[index])
    let part = (goal - low.hitRatio) / (high.hitRatio - low.hitRatio)
    return low.capacity + Int((part * Double(high.capacity - low.capacity)).rounded(.up))
  }

  /// The knee of the curve: the point farthest above the straight line from the first point to the last. Beyond it,
  /// more space gains less than before.
  public var knee: Point? {
    guard let first = points.first, let last = points.last, last.capacity > first.capacity else { return nil }
    let width = Double(last.capacity - first.capacity)
    let slope = (last.hitRatio - first.hitRatio) / width
    func height(_ point: Point) -> Double {
      point.hitRatio - first.hitRatio - slope * Double(point.capacity - first.capacity)
    }
    guard let knee = points.max(by: { height($0) < height($1) }), height(knee) > 0 else { return nil }
    return knee
  }
}

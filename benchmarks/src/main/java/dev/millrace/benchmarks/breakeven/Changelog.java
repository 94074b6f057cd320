package dev.millrace.benchmarks.breakeven;

import java.util.Comparator;
import java.util.List;

/// How much a changelog was seen to write, by how much was changed. Between two points, and before
/// the first, it is taken to grow evenly; behind the last as between the last two.
///
/// @param points by their changes a second, at least one
record Changelog(List<Point> points) {

  /// @param cpuSeconds of the job, a million changes
  record Point(double changesPerSecond, double bytesPerSecond, double cpuSeconds) {
    private static final Point NOTHING = new Point(0, 0, 0);

    double bytesAChange() {
      return bytesPerSecond / changesPerSecond;
    }
  }

  Changelog {
    points = points.stream().sorted(Comparator.comparingDouble(Point::changesPerSecond)).toList();
  }

  /// The changes a second at which it writes so many bytes a second; infinite if it never does, as
  /// a commit merges what changes often.
  double changesFor(double bytesPerSecond) {
    Point from = Point.NOTHING;
    Point to = points.getFirst();
    for (int next = 1; next < points.size() && to.bytesPerSecond < bytesPerSecond; next++) {
      from = to;
      to = points.get(next);
    }
    double growth =
        (to.bytesPerSecond - from.bytesPerSecond) / (to.changesPerSecond - from.changesPerSecond);
    return growth <= 0
        ? Double.POSITIVE_INFINITY
        : from.changesPerSecond + (bytesPerSecond - from.bytesPerSecond) / growth;
  }
}

package dev.millrace.api.serde;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Types of the second build of a program; [V1] has those of the first.
interface V2 {
  record Trend(
      Instant windowStart,
      String tag,
      long count,
      boolean hot,
      double share,
      @Nullable Integer change,
      Optional<String> note,
      List<String> members,
      Set<Long> ids,
      Map<String, Integer> places,
      int @Nullable [] history) {}

  record Report(List<Trend> trends, Mark mark, @Nullable Trend best, Map<String, Trend> byTag) {}

  enum Mark {
    NONE,
    HIGH,
    LOW
  }

  sealed interface Event {}

  record Moved(String where) implements Event {}

  record Opened(String who, @Nullable Instant at) implements Event {}

  record Closed(int code) implements Event {}

  record Tree(String label, List<Tree> children) {}
}

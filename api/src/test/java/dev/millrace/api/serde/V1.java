package dev.millrace.api.serde;

import java.util.List;
import java.util.Map;

/// Types of the first build of a program; [V2] has those of the second.
interface V1 {
  record Trend(String tag, int rank, long count) {}

  record Report(String title, List<Trend> trends, Map<String, Trend> byTag, Mark mark) {}

  enum Mark {
    LOW,
    HIGH
  }

  sealed interface Event {}

  record Opened(String who) implements Event {}

  record Closed(String who, int code) implements Event {}

  record Tree(int value, List<Tree> children) {}
}

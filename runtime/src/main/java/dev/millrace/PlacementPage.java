package dev.millrace;

import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.view.PlacementView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// What this process knows of who has which task, for who asks over HTTP. The thread of the member
/// [keeps it up to date][#look]; every thread may read it.
final class PlacementPage {
  /// The least time between two looks at what is new, so that a storm of news costs little.
  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  /// The most, as silence is no news.
  private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

  private final String application;
  private final String process;
  private volatile @Nullable Answer answer;
  private long changes = -1;
  private long lookedNanos;

  private record Answer(PlacementView view, boolean coordinates, boolean hearsAll) {}

  /// @param process the name of this process
  PlacementPage(String application, String process) {
    this.application = application;
    this.process = process;
  }

  /// Takes in what was decided and heard, if that is new. Called by the thread of the member.
  void look(Coordinator coordinator, long nowNanos) {
    long now = coordinator.changes();
    long sinceNanos = nowNanos - lookedNanos;
    if (answer == null || sinceNanos >= (now == changes ? SILENCE_NANOS : PAUSE_NANOS)) {
      lookedNanos = nowNanos;
      changes = now;
      answer =
          new Answer(
              coordinator.view(application), coordinator.isLeading(), coordinator.hearsAll());
    }
  }

  /// Returns it as JSON; null if nothing is known yet. Thread-safe.
  @Nullable String json() {
    Answer known = answer;
    if (known == null) {
      return null;
    }
    Map<String, Object> by = new LinkedHashMap<>();
    by.put("process", process);
    by.put("coordinates", known.coordinates());
    by.put("hearsAll", known.hearsAll());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("answeredBy", by);
    json.putAll(known.view().json());
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json);
  }
}

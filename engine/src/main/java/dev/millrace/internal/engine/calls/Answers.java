package dev.millrace.internal.engine.calls;

import dev.millrace.api.Call;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The answers that are kept, and what is under way: those used last. Used by one thread.
final class Answers {
  private final int most;
  private final long timeToLiveNanos;
  private final Map<Object, Asked> byQuestion = new LinkedHashMap<>(16, 0.75f, true);

  Answers(Call.Cache cache) {
    most = cache.entries();
    timeToLiveNanos = cache.timeToLive().toNanos();
  }

  @Nullable Asked find(Object question, long nowNanos) {
    if (most == 0) {
      return null;
    }
    Asked found = byQuestion.get(question);
    if (found != null
        && found.isAnswered()
        && nowNanos - found.answeredNanos() >= timeToLiveNanos) {
      byQuestion.remove(question);
      return null;
    }
    return found;
  }

  void add(Object question, Asked asked) {
    if (most == 0) {
      return;
    }
    byQuestion.put(question, asked);
    if (byQuestion.size() > most) {
      Iterator<Asked> eldest = byQuestion.values().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /// Forgets what has failed.
  void remove(Object question, Asked asked) {
    if (most > 0) {
      byQuestion.remove(question, asked);
    }
  }
}

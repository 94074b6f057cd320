package dev.millrace.internal.engine.failure;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.failure.DeadLetters.Failed;
import dev.millrace.internal.engine.failure.DeadLetters.Source;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.FailedResults;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the operators of a worker's tasks failed to do when event time moved on or an answer came,
/// under a policy that goes on: results of windows, timers, rows that waited. Like [BadRecords] it
/// survives roll-backs, and what was passed over is forgotten when that is committed.
public final class BadResults {
  private final OnError policy;
  private final Clock clock;
  private final DeadLetters letters;
  private final BadInputLog log;
  private final Map<Source, Map<Bytes, Failed>> failed = new HashMap<>();

  /// What the live state and what is being committed go on without.
  private final Map<Source, Set<Bytes>> passed = new HashMap<>();

  /// What of that came since the last mark.
  private final List<Passed> sinceMark = new ArrayList<>();

  private final Map<Source, Set<Bytes>> pending = new HashMap<>();

  /// The tasks that make one result at a time, to see which fails.
  private final Set<Plan.TaskId> careful = new LinkedHashSet<>();

  public BadResults(ErrorConfig errors, Clock clock) {
    policy = errors.onError();
    this.clock = clock;
    letters = new DeadLetters(errors.deadLetterTopic());
    log = new BadInputLog(clock);
  }

  private record Passed(Source source, Bytes id) {}

  /// Where what is passed over is told.
  public BadInputLog log() {
    return log;
  }

  /// Passes something over from now on.
  void add(Plan.TaskId task, String source, Due due, String operator, String cause) {
    failed
        .computeIfAbsent(new Source(task, source), _ -> new HashMap<>())
        .put(due.id().copy(), new Failed(operator, cause));
  }

  /// Has a task make one result at a time until its next commit.
  ///
  /// @return false if it does already
  boolean beCareful(Plan.TaskId task) {
    return careful.add(task);
  }

  public boolean isCareful(Plan.TaskId task) {
    return careful.contains(task);
  }

  /// A task's part of a commit is fixed.
  void frozen(Plan.TaskId task) {
    passed.forEach((source, ids) -> {
      if (source.task().equals(task)) {
        pending.computeIfAbsent(source, _ -> new LinkedHashSet<>()).addAll(ids);
      }
    });
    passed.keySet().removeIf(source -> source.task().equals(task));
  }

  /// What was frozen last is committed.
  void published(Plan.TaskId task) {
    careful.remove(task);
    pending.forEach((source, ids) -> {
      Map<Bytes, Failed> known = failed.get(source);
      if (source.task().equals(task) && known != null) {
        ids.forEach(known::remove);
      }
    });
    pending.keySet().removeIf(source -> source.task().equals(task));
  }

  void mark() {
    sinceMark.clear();
  }

  /// Forgets what was passed over since the last mark.
  void undo() {
    sinceMark.forEach(each -> passedOf(each.source).remove(each.id));
    sinceMark.clear();
  }

  private Set<Bytes> passedOf(Source source) {
    return passed.computeIfAbsent(source, _ -> new LinkedHashSet<>());
  }

  void rolledBack(Plan.TaskId task) {
    passed.keySet().removeIf(source -> source.task().equals(task));
    pending.keySet().removeIf(source -> source.task().equals(task));
  }

  /// Those of one operator.
  FailedResults of(Plan.TaskId task, String operator, BadCounts counts, Outbox outbox) {
    return new OfOperator(new Source(task, operator), counts, outbox);
  }

  private final class OfOperator implements FailedResults {
    private final Source source;
    private final BadCounts counts;
    private final Outbox outbox;
    private final Map<Bytes, Failed> known;

    OfOperator(Source source, BadCounts counts, Outbox outbox) {
      this.source = source;
      this.counts = counts;
      this.outbox = outbox;
      known = failed.computeIfAbsent(source, _ -> new HashMap<>());
    }

    @Override
    public boolean isEmpty() {
      return known.isEmpty();
    }

    @Override
    public boolean contains(Bytes id) {
      return known.containsKey(id);
    }

    @Override
    public boolean goesOn() {
      return policy != OnError.FAIL;
    }

    @Override
    public void passOver(Due due, @Nullable Bytes value) {
      Bytes id = due.id().copy();
      if (passedOf(source).add(id)) {
        sinceMark.add(new Passed(source, id));
      }
      count(due, value, Objects.requireNonNull(known.get(id)));
    }

    @Override
    public void giveUp(Due due, @Nullable Bytes value, RuntimeException cause) {
      String message = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
      log.warn("Task %s continues without a %s: %s".formatted(source.task(), due.kind(), message));
      count(due, value, new Failed(source.operator(), message));
    }

    private void count(Due due, @Nullable Bytes value, Failed why) {
      boolean deadLetter = policy == OnError.DEAD_LETTER;
      if (deadLetter) {
        letters.due(due, value, source, why, clock.millis(), outbox);
      }
      counts.add(deadLetter);
    }
  }
}

package dev.millrace.internal.engine.query;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.CommittedState;
import dev.millrace.spi.job.QueryException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The questions that wait for a worker. Asked by any thread, answered by the worker's.
public final class Questions {
  /// How many are answered between two pieces of work.
  private static final int AT_ONCE = 64;

  private final ConcurrentLinkedQueue<Question> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /// What a task answers from.
  ///
  /// @param nowMillis the time in the task's last commit record
  /// @param age how long ago it was all that is committed, at most
  public record Source(CommittedState state, long nowMillis, Duration age) {}

  /// Adds a question. Thread-safe.
  public void ask(Question question) {
    waiting.add(question);
    if (closed) {
      refuseAll();
    }
  }

  /// Whether nobody asks anything. Thread-safe.
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// Answers some of what was asked. What the disk fails in fails the question and nobody else: the
  /// task meets it by itself.
  ///
  /// @param sources by task; null for one that is not open
  public void answer(Function<Plan.TaskId, @Nullable Source> sources) {
    for (int i = 0; i < AT_ONCE; i++) {
      Question question = waiting.poll();
      if (question == null) {
        return;
      }
      Source source = sources.apply(question.task());
      if (source == null) {
        question
            .answer()
            .completeExceptionally(
                new QueryException("Task " + question.task() + " is not open; ask again later."));
        continue;
      }
      answer(question, source);
    }
  }

  private static void answer(Question question, Source source) {
    try {
      question.answer(source.state(), source.nowMillis(), source.age());
      // outermost: whatever a question fails with is its own
    } catch (RuntimeException e) {
      question.answer().completeExceptionally(e);
    }
  }

  /// Answers what can be answered now; the rest waits on. Used by one thread.
  ///
  /// @param sources of a question; null if there is none yet
  public void answerSome(Function<Question, @Nullable Source> sources) {
    for (int left = waiting.size(); left > 0; left--) {
      Question question = waiting.poll();
      if (question == null) {
        return;
      }
      if (question.answer().isDone()) {
        continue; // nobody waits any more
      }
      Source source = sources.apply(question);
      if (source == null) {
        waiting.add(question);
      } else {
        answer(question, source);
      }
    }
  }

  /// Refuses what waits and whatever comes.
  public void close() {
    closed = true;
    refuseAll();
  }

  private void refuseAll() {
    for (Question question = waiting.poll(); question != null; question = waiting.poll()) {
      question
          .answer()
          .completeExceptionally(
              new QueryException("The job is not running any more, so its stores cannot be read."));
    }
  }
}

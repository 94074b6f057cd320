package dev.millrace.internal.engine.calls;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that is asked, and the answer when it is there. Used by the task's thread.
public final class Asked {
  private final Object question;
  private final List<Runnable> listeners = new ArrayList<>();
  private boolean answered;
  private @Nullable Object answer;
  private @Nullable CallFailedException failure;
  private long answeredNanos;

  Asked(Object question) {
    this.question = question;
  }

  /// Where nothing is asked: the answer is null.
  public static Asked nothing() {
    Asked asked = new Asked("");
    asked.answered = true;
    return asked;
  }

  Object question() {
    return question;
  }

  /// Runs when the answer comes; it is not there yet.
  public void whenAnswered(Runnable listener) {
    listeners.add(listener);
  }

  public boolean isAnswered() {
    return answered;
  }

  /// The answer, null if there is none.
  ///
  /// @throws CallFailedException if the call has failed
  public @Nullable Object answer() {
    if (failure != null) {
      throw failure;
    }
    return answer;
  }

  /// What the call has failed with; null if it has not, or not yet.
  public @Nullable CallFailedException failure() {
    return failure;
  }

  long answeredNanos() {
    return answeredNanos;
  }

  void answer(@Nullable Object newAnswer, long nowNanos) {
    answer = newAnswer;
    ended(nowNanos);
  }

  void fail(CallFailedException cause, long nowNanos) {
    failure = cause;
    ended(nowNanos);
  }

  private void ended(long nowNanos) {
    answered = true;
    answeredNanos = nowNanos;
    listeners.forEach(Runnable::run);
    listeners.clear();
  }
}

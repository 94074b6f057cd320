package dev.millrace.internal.engine.loop;

/// Whether a worker is far behind its input: more records wait for it than it has processed since
/// it was last asked.
final class Backlog {
  private long processed;
  private boolean behind;

  /// @return whether that has changed
  boolean look(Iterable<Task> tasks) {
    long lag = 0;
    long all = 0;
    for (Task task : tasks) {
      lag += Math.max(0, task.metrics().lag());
      all += task.metrics().processed();
    }
    boolean before = behind;
    behind = lag > all - processed;
    processed = all;
    return behind != before;
  }

  boolean behind() {
    return behind;
  }

  /// Nobody knows of it any more.
  void forget() {
    behind = false;
  }
}

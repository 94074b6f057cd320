package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.metrics.TaskMetrics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells how far a task has read the tables that its streams wait for; see [InputOrder#waitFor].
///
/// It is made whenever the task begins, of where the tables' topics end then. So no commit says
/// anything of it, and after a standstill, too, tables are read before what is joined with them.
public final class TableGate {
  private static final Logger LOG = LoggerFactory.getLogger(TableGate.class);
  private static final Duration TELL_AFTER = Duration.ofSeconds(1);
  private static final Duration TELL_EVERY = Duration.ofMinutes(1);

  private final String task;
  private final Map<TaskInput, String> tables;

  /// By table, the transactions at its end that were open at the beginning and are waited for.
  private final Map<String, List<String>> undecided;

  /// By table, how many offsets had to be read at the beginning.
  private final Map<String, Long> all;

  private final long begunNanos;
  private long tellAtNanos;
  private boolean told;

  /// @param tables the inputs that others wait for, and what they are called
  /// @param undecided by table, the open transactions that are waited for
  TableGate(
      String task,
      Map<TaskInput, String> tables,
      Map<String, List<String>> undecided,
      long nowNanos) {
    this.task = task;
    this.tables = tables;
    this.undecided = undecided;
    all = left();
    begunNanos = nowNanos;
    tellAtNanos = nowNanos + TELL_AFTER.toNanos();
  }

  private Map<String, Long> left() {
    Map<String, Long> left = new LinkedHashMap<>();
    tables.forEach((input, table) -> left.merge(table, input.order().awaited(), Long::sum));
    return left;
  }

  /// Looks how far the tables were read, and tells it now and then.
  ///
  /// @return whether there is nothing to wait for any more
  public boolean look(TaskMetrics metrics, long nowNanos) {
    Map<String, Long> left = left();
    long sum = left.values().stream().mapToLong(Long::longValue).sum();
    metrics.tablesRemaining(sum);
    if (sum == 0) {
      if (told) {
        LOG.info(
            "Task {} has read the tables that it waited for, after {} s.",
            task,
            Duration.ofNanos(nowNanos - begunNanos).toSeconds());
      }
      return true;
    }
    if (nowNanos - tellAtNanos >= 0) {
      told = true;
      tellAtNanos = nowNanos + TELL_EVERY.toNanos();
      left.forEach(this::tell);
    }
    return false;
  }

  private void tell(String table, long left) {
    long wanted = all.getOrDefault(table, left);
    if (left > 0) {
      LOG.info(
          "Task {} waits for table '{}': {} of {} records.",
          task,
          table,
          number(wanted - left),
          number(wanted));
      List<String> open = undecided.getOrDefault(table, List.of());
      if (!open.isEmpty()) {
        LOG.info(
            "Table '{}' is read to the end that its bounded input had when the task began, where"
                + " transactions were open: {}. The task waits until their writers commit or abort"
                + " them, or the log aborts them at their timeout.",
            table,
            String.join(", ", open));
      }
    }
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}

package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.LargeValues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Warns of values that come near the limit of their store.
final class LargeValueLog {
  private static final Logger LOG = LoggerFactory.getLogger(LargeValueLog.class);

  private LargeValueLog() {}

  /// Of a task.
  static LargeValues of(Plan.TaskId task) {
    return (store, key, bytes, most) ->
        LOG.warn(
            "The value of key {} in store '{}' of task {} has {} bytes; above {} it is rejected."
                + " Split it over several keys, or raise state.max-value-of.",
            key,
            store,
            task,
            bytes,
            most);
  }
}

package dev.millrace.internal.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.calls.Calls;
import dev.millrace.internal.engine.metrics.CallMetrics;
import org.jspecify.annotations.Nullable;

/// What an operator can reach.
public interface OperatorContext {

  /// One of the stores the operator's node declares.
  <K, V> KeyValueStore<K, V> store(StoreSpec<K, V> spec);

  /// One of those stores as numbers; null if its values are none.
  default @Nullable Counts counts(StoreSpec<Bytes, ?> spec) {
    return null;
  }

  /// One of those stores, whose keys are those of the rows, as aggregates.
  Aggregates aggregates(StoreSpec<Bytes, Object> spec);

  /// The largest value that one of those stores takes, in bytes.
  default int largestValue(StoreSpec<?, ?> spec) {
    return Integer.MAX_VALUE;
  }

  /// Reads ahead for one of those stores.
  ReadAhead readAhead(StoreSpec<?, ?> spec);

  /// What asks other systems.
  Calls calls();

  /// What counts them.
  CallMetrics callMetrics();

  /// What has failed of the operator without a record at hand.
  default FailedResults failed() {
    return FailedResults.NONE;
  }

  /// The operator's event time: the watermark up to which [Operator#advance] was done;
  /// `Long.MIN_VALUE` if there is none yet.
  long watermark();

  /// Milliseconds since 1970 by the task's clock, which never goes back.
  long clock();

  /// Counts a record that came behind the watermark, and too late to change anything.
  default void late(RowCursor row) {
    late(row, 1);
  }

  /// Counts records that came behind the watermark, and too late to change anything.
  ///
  /// @param row that stands for all of them
  void late(RowCursor row, long records);

  /// Counts records that came behind the watermark and correct a result.
  ///
  /// @param row that stands for all of them
  void corrected(RowCursor row, long records);

  /// Whether rows that are too late are wanted among the results, as [TooLate].
  default boolean lateGoOn() {
    return false;
  }

  /// The number of the task's last commit; 0 if there was none.
  long committed();

  /// Identifies the changelog; one that was created anew has another.
  String changelogId();

  /// The task's name: stage and partition, such as `1-3`.
  String task();

  /// The task's partition, from 0.
  int partition();
}

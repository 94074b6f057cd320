package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TooLate;
import dev.millrace.spi.job.LateRecords;
import java.time.Duration;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// What becomes of the rows of windows that come behind the watermark. They are counted by the
/// start of the window, in milliseconds since 1970, in a store of their own; those that are too
/// late go on as [TooLate], if the application wants them.
public final class LateRows {
  /// For how long it is told what came late for a window.
  private static final Duration TOLD = Duration.ofDays(7);

  /// Of the starts of windows.
  public static final Serde<Long> WINDOWS = Serdes.keyForType(new TypeRef<Long>() {});

  /// Of what is counted.
  public static final Serde<LateRecords> COUNTS = Serdes.forType(new TypeRef<LateRecords>() {});

  private final StoreSpec<Long, LateRecords> spec;
  private final ToLongFunction<RowCursor> rows;
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Long, LateRecords> counts;

  public LateRows(StoreSpec<Long, LateRecords> spec) {
    this(spec, _ -> 1);
  }

  /// @param rows how many a row stands for
  public LateRows(StoreSpec<Long, LateRecords> spec, ToLongFunction<RowCursor> rows) {
    this.spec = spec;
    this.rows = rows;
  }

  /// The store in which an operator counts them.
  public static StoreSpec<Long, LateRecords> spec(String operator) {
    return StoreSpec.keyValue(storeName(operator), WINDOWS, COUNTS)
        .withRanges()
        .withTimeToLive(TOLD);
  }

  /// What it is called.
  public static String storeName(String operator) {
    return operator + "-late";
  }

  public void open(OperatorContext opened) {
    context = opened;
    counts = opened.store(spec);
  }

  public void close() {
    context = null;
    counts = null;
  }

  /// A row changes the result of a window that is closed. What is taken back is not late itself.
  ///
  /// @param window its start
  public void corrects(long window, RowCursor row) {
    if (!row.isRetraction()) {
      OperatorContext opened = Opened.store(context);
      long count = rows.applyAsLong(row);
      opened.corrected(row, count);
      add(window, new LateRecords(count, 0, behind(opened, row)));
    }
  }

  /// A row comes too late for all its windows.
  ///
  /// @param window the start of the last of them
  public void tooLate(long window, RowCursor row, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long count = rows.applyAsLong(row);
    opened.late(row, count);
    if (!row.isRetraction()) {
      add(window, new LateRecords(0, count, behind(opened, row)));
      if (opened.lateGoOn()) {
        out.emit(new TooLate(Opened.value(row)), row.timestamp());
      }
    }
  }

  private void add(long window, LateRecords more) {
    KeyValueStore<Long, LateRecords> all = Opened.store(counts);
    LateRecords before = all.get(window);
    all.put(window, before == null ? more : before.plus(more));
  }

  private static long behind(OperatorContext opened, RowCursor row) {
    return Math.max(0, opened.watermark() - row.timestamp());
  }
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TimeKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Passes on one element of each id that a source gives: ids are the keys of the rows. They are
/// remembered for ten minutes in which the pipeline runs.
public final class DistinctOperator implements Operator {
  private static final long REMEMBERED_MILLIS = Duration.ofMinutes(10).toMillis();

  /// So many more ids than come are forgotten at once, so that there is an end to it.
  private static final int FORGOTTEN_AT_ONCE = 100;

  private static final Bytes PRESENT = Bytes.of(new byte[] {1});

  /// Where the time stands in the store of ids, which have a byte before them.
  private static final Bytes CLOCK = Bytes.of(new byte[] {'c'});

  private static final byte ID = 'i';

  private final Spec spec;
  private final TimeKey timeKey = new TimeKey();
  private @Nullable KeyValueStore<Bytes, Bytes> ids;
  private @Nullable KeyValueStore<Bytes, Bytes> times;
  private @Nullable LongSupplier clock;

  /// How long the pipeline has run, at the last commit before the operator was opened.
  private long runMillis;

  private long openedMillis;

  /// Where it is.
  ///
  /// @param operator the name of the node
  public record Spec(String operator, RunContext run) {
    StoreSpec<Bytes, Bytes> ids() {
      return StoreSpec.keyValue(operator + "-ids", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
    }

    StoreSpec<Bytes, Bytes> times() {
      return StoreSpec.keyValue(operator + "-times", BytesSerde.INSTANCE, BytesSerde.INSTANCE)
          .withRanges();
    }
  }

  private DistinctOperator(Spec spec) {
    this.spec = spec;
  }

  /// The operator as a topology carries it.
  public static Declaration declare(Spec spec) {
    return new Declaration(
        () -> new DistinctOperator(spec),
        List.of(spec.ids(), spec.times()),
        Parameters.of("beam requiresDeduping"));
  }

  @Override
  public void open(OperatorContext context) {
    KeyValueStore<Bytes, Bytes> opened = context.store(spec.ids());
    ids = opened;
    times = context.store(spec.times());
    LongSupplier running = spec.run().clock(context);
    clock = running;
    Bytes kept = opened.get(CLOCK);
    runMillis = kept == null ? 0 : new Frames.Reader(kept).readLong();
    openedMillis = running.getAsLong();
  }

  /// Returns how long the pipeline has run, in milliseconds.
  private long now() {
    return runMillis + Opened.store(clock).getAsLong() - openedMillis;
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    KeyValueStore<Bytes, Bytes> known = Opened.store(ids);
    long now = now();
    int count = 0;
    while (rows.next()) {
      Bytes id = prefixed(Opened.key(rows));
      count++;
      if (known.get(id) == null) {
        known.put(id, PRESENT);
        Opened.store(times).put(timeKey.of(now, id).copy(), PRESENT);
        out.emit(null, rows.value(), 0);
      }
    }
    forget(now - REMEMBERED_MILLIS, count + FORGOTTEN_AT_ONCE);
    known.put(CLOCK, number(now));
  }

  private void forget(long before, int atMost) {
    List<Bytes> due = new ArrayList<>();
    Opened.store(times)
        .range(
            null,
            null,
            (entry, _) -> {
              boolean isDue = TimeKey.time(entry) < before && due.size() < atMost;
              if (isDue) {
                due.add(entry.copy());
              }
              return isDue;
            });
    for (Bytes entry : due) {
      Opened.store(times).delete(entry);
      Opened.store(ids).delete(TimeKey.rowKey(entry, new Bytes()).copy());
    }
  }

  private static Bytes prefixed(Bytes id) {
    BytesWriter out = new BytesWriter(id.length() + 1);
    out.writeByte(ID);
    out.write(id);
    return Bytes.of(out.toByteArray());
  }

  private static Bytes number(long millis) {
    BytesWriter out = new BytesWriter(Long.BYTES);
    out.writeLong(millis);
    return Bytes.of(out.toByteArray());
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    ids = null;
    times = null;
  }
}

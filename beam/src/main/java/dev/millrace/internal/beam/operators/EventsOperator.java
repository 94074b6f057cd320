package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.time.Duration;
import java.util.List;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.testing.TestStream.ElementEvent;
import org.apache.beam.sdk.testing.TestStream.Event;
import org.apache.beam.sdk.testing.TestStream.ProcessingTimeEvent;
import org.apache.beam.sdk.testing.TestStream.WatermarkEvent;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.jspecify.annotations.Nullable;

/// Has the events of a test happen in the first task, each when all has happened that followed from
/// the one before. Which is next, and where the clock stands, is kept with each commit.
public final class EventsOperator implements AsyncOperator {
  private static final Bytes PLACE = Bytes.of(new byte[] {'e'});

  private final String name;
  private final List<? extends Event<?>> events;
  private final TestTime time;
  private @Nullable KeyValueStore<Bytes, Bytes> store;
  private @Nullable Passed passed;
  private boolean isFirst;
  private int next;

  /// What was kept with the last commit.
  private @Nullable Bytes kept;

  private long watermark = BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis();

  private EventsOperator(String name, TestStream<?> stream, TestTime time) {
    this.name = name;
    events = stream.getEvents();
    this.time = time;
  }

  /// The operator as a topology carries it.
  public static Declaration declare(String name, TestStream<?> stream, TestTime time) {
    return new Declaration(
        () -> new EventsOperator(name, stream, time),
        List.of(stored(name)),
        Parameters.of("beam TestStream"));
  }

  private static StoreSpec<Bytes, Bytes> stored(String name) {
    return StoreSpec.keyValue(name + "-events", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
  }

  @Override
  public void open(OperatorContext context) {
    KeyValueStore<Bytes, Bytes> opened = context.store(stored(name));
    store = opened;
    passed = new Passed(opened);
    isFirst = context.partition() == 0;
    if (isFirst) {
      begin(opened.get(PLACE));
    }
  }

  private void begin(@Nullable Bytes found) {
    if (found != null) {
      kept = found;
      Frames.Reader from = new Frames.Reader(found);
      next = from.readInt();
      watermark = from.readLong();
      time.clock(from.readLong());
    }
    if (isWaiting()) {
      time.begins(name);
    }
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    while (rows.next()) {
      throw new IllegalStateException("Nothing is sent to a stream of events.");
    }
  }

  @Override
  public boolean advance(long to, int budget, RowSink out) {
    return true;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public boolean isWaiting() {
    return isFirst && next <= events.size();
  }

  @Override
  public boolean poll(RowSink out) {
    if (!isWaiting() || !time.takeTurn()) {
      return false;
    }
    if (next == events.size()) {
      watermark = Long.MAX_VALUE;
      time.ends(name);
    } else {
      happen(events.get(next), out);
    }
    next++;
    keep(); // so that a commit comes, and with it what waits for one
    return true;
  }

  private void happen(Event<?> event, RowSink out) {
    switch (event) {
      case ElementEvent<?> elements -> {
        for (TimestampedValue<?> each : elements.getElements()) {
          out.emit(
              null,
              WindowedValues.timestampedValueInGlobalWindow(each.getValue(), each.getTimestamp()),
              0);
        }
      }
      case WatermarkEvent<?> moved -> watermark = moved.getWatermark().getMillis();
      case ProcessingTimeEvent<?> passing ->
          time.advance(Duration.ofMillis(passing.getProcessingTimeAdvance().getMillis()));
      default -> throw new IllegalArgumentException("Not an event: " + event);
    }
  }

  @Override
  public long hold() {
    return !isFirst || watermark >= BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis()
        ? Long.MAX_VALUE
        : watermark;
  }

  @Override
  public long passed() {
    return Opened.store(passed).watermark();
  }

  @Override
  public void passed(long to) {
    Opened.store(passed).watermark(to);
  }

  @Override
  public void beforeCommit(long number) {
    Opened.store(passed).beforeCommit();
    if (isFirst) {
      keep();
    }
  }

  private void keep() {
    BytesWriter out = new BytesWriter(Integer.BYTES + 2 * Long.BYTES);
    out.writeInt(next);
    out.writeLong(watermark);
    out.writeLong(time.millis());
    Bytes now = Bytes.of(out.toByteArray());
    if (!now.equals(kept)) {
      Opened.store(store).put(PLACE, now);
      kept = now;
    }
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}

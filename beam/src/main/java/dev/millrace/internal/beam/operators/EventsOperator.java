package dev.millrace.internal.beam.operators;

import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.Declaration;
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

/// Has the events of a test happen in the first task, each when all has happened that followed from
/// the one before. It keeps no place: tests do not go on after a crash.
public final class EventsOperator implements AsyncOperator {
  private final String name;
  private final List<? extends Event<?>> events;
  private final TestTime time;
  private boolean isFirst;
  private int next;
  private long watermark = BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis();
  private long passed = Long.MIN_VALUE;

  private EventsOperator(String name, TestStream<?> stream, TestTime time) {
    this.name = name;
    events = stream.getEvents();
    this.time = time;
  }

  /// The operator as a topology carries it.
  public static Declaration declare(String name, TestStream<?> stream, TestTime time) {
    return new Declaration(
        () -> new EventsOperator(name, stream, time), List.of(), Parameters.of("beam TestStream"));
  }

  @Override
  public void open(OperatorContext context) {
    isFirst = context.partition() == 0;
    if (isFirst) {
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
    return passed;
  }

  @Override
  public void passed(long to) {
    passed = to;
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}

package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.state.ReadableState;
import org.apache.beam.sdk.state.WatermarkHoldState;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/// A time at which event time is held back: an entry, so that all of them are found when a task
/// begins.
record StoredHold(Cells cells, Bytes place, TimestampCombiner combiner, Holds holds)
    implements WatermarkHoldState {
  @Override
  public void add(Instant time) {
    Instant before = read();
    Instant now = before == null ? time : combiner.combine(before, time);
    if (now.equals(before)) {
      return;
    }
    if (before != null) {
      holds.remove(before.getMillis());
    }
    holds.add(now.getMillis());
    cells.putEntry(place, InstantCoder.of(), now);
  }

  @Override
  public @Nullable Instant read() {
    return cells.entry(place, InstantCoder.of());
  }

  @Override
  public TimestampCombiner getTimestampCombiner() {
    return combiner;
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> !cells.hasEntry(place));
  }

  @Override
  public WatermarkHoldState readLater() {
    return this;
  }

  @Override
  public void clear() {
    Instant before = read();
    if (before != null) {
      holds.remove(before.getMillis());
      cells.deleteEntry(place);
    }
  }
}

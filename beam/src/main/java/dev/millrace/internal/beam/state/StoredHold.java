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
final class StoredHold implements WatermarkHoldState, Pending {
  private final Cells cells;
  private final Bytes place;
  private final TimestampCombiner combiner;
  private final Holds holds;
  private @Nullable Instant time;
  private boolean known;
  private boolean changed;

  StoredHold(Cells cells, Bytes place, TimestampCombiner combiner, Holds holds) {
    this.cells = cells;
    this.place = place;
    this.combiner = combiner;
    this.holds = holds;
  }

  private void set(@Nullable Instant now) {
    Instant before = read();
    if (before != null) {
      holds.remove(before.getMillis());
    }
    if (now != null) {
      holds.add(now.getMillis());
    }
    time = now;
    changed = true;
  }

  @Override
  public void add(Instant more) {
    Instant before = read();
    Instant now = before == null ? more : combiner.combine(before, more);
    if (!now.equals(before)) {
      set(now);
    }
  }

  @Override
  public @Nullable Instant read() {
    if (!known) {
      time = cells.entry(place, InstantCoder.of());
      known = true;
    }
    return time;
  }

  @Override
  public TimestampCombiner getTimestampCombiner() {
    return combiner;
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> read() == null);
  }

  @Override
  public WatermarkHoldState readLater() {
    return this;
  }

  @Override
  public void clear() {
    if (read() != null) {
      set(null);
    }
  }

  @Override
  public void store() {
    if (!changed) {
      return;
    }
    changed = false;
    Instant now = time;
    if (now == null) {
      cells.deleteEntry(place);
    } else {
      cells.putEntry(place, InstantCoder.of(), now);
    }
  }

  @Override
  public int bytes() {
    return Long.BYTES;
  }
}

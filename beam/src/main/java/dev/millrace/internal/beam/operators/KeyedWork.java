package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.state.Cells;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.beam.state.Holds;
import dev.millrace.internal.beam.state.KeyedState;
import dev.millrace.internal.beam.state.KeyedTimers;
import dev.millrace.internal.beam.state.LongKeys;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.jspecify.annotations.Nullable;

/// The state, timers and time of a transform whose elements have keys.
public final class KeyedWork implements KeyedTimers.Times {
  private static final int AT_ONCE = 1_000;

  private final LongSupplier clock;
  private final Holds holds = new Holds();
  private final KeyedState state;
  private final KeyedTimers timers;
  private final Coder<?> keys;
  private final Passed passed;
  private final LongKeys longKeys;
  private Bytes key = new Bytes();
  private Bytes stored = new Bytes();
  private @Nullable Object keyObject;
  private long watermark;

  /// Up to where event time has come behind the transform: not where it will come with what is done
  /// at the moment.
  private long behind = Long.MIN_VALUE;

  /// @param keys the coder of keys
  /// @param holding whether a timer holds event time back until it fires
  /// @param clock by which timers fire, in milliseconds since 1970
  public KeyedWork(
      OperatorContext context,
      String operator,
      Coder<? extends BoundedWindow> windows,
      Coder<?> keys,
      Predicate<TimerData> holding,
      LongSupplier clock) {
    this.clock = clock;
    this.keys = keys;
    watermark = context.watermark();
    KeyValueStore<Bytes, Bytes> values = context.store(Cells.values(operator));
    longKeys = new LongKeys(values);
    state = new KeyedState(values, context.store(Cells.entries(operator)), holds);
    timers =
        new KeyedTimers(
            state,
            new KeyedTimers.Stores(
                values,
                context.store(KeyedTimers.Stores.event(operator)),
                context.store(KeyedTimers.Stores.clock(operator))),
            windows,
            from -> Coding.read(keys, longKeys.key(from), 0),
            holds,
            holding,
            this);
    passed = new Passed(values);
    behind = passed.watermark();
  }

  /// Returns the stores that an operator has for it.
  public static List<StoreSpec<?, ?>> stores(String operator) {
    return List.of(
        Cells.values(operator),
        Cells.entries(operator),
        KeyedTimers.Stores.event(operator),
        KeyedTimers.Stores.clock(operator));
  }

  /// Goes to a key.
  ///
  /// @return the key as an object
  public @Nullable Object key(Bytes bytes) {
    if (!bytes.equals(key) || keyObject == null) {
      key = bytes.copy();
      stored = longKeys.stored(key);
      keyObject = Coding.read(keys, key, 0);
    }
    state.key(stored, keyObject);
    return keyObject;
  }

  /// Returns the state of the key.
  public KeyedState state() {
    return state;
  }

  /// Returns the timers of the key.
  public KeyedTimers timers() {
    return timers;
  }

  @Override
  public long inputWatermark() {
    return watermark;
  }

  @Override
  public long outputWatermark() {
    return behind;
  }

  @Override
  public long clock() {
    return clock.getAsLong();
  }

  /// Event time moves on: fires what is due.
  ///
  /// @return whether all of it has fired
  public boolean advance(long to, int budget, KeyedTimers.Firing firing) {
    watermark = to;
    long latest = to == Long.MAX_VALUE ? to : to - 1;
    boolean done = timers.fire(TimeDomain.EVENT_TIME, latest, budget, firing);
    if (done) {
      advance(to);
    }
    return done;
  }

  /// Whether a timer may be due by the clock.
  public boolean isDue() {
    return timers.clockDueMillis() < clock.getAsLong();
  }

  /// Returns when a timer may be due by the clock: a millisecond after its time, as in event time.
  public long dueMillis() {
    long due = timers.clockDueMillis();
    return due == Long.MAX_VALUE ? due : due + 1;
  }

  /// Whether a timer may be due at a watermark.
  public boolean hasDue(long at) {
    return timers.eventDueMillis() < at;
  }

  /// Event time moves on, and nothing is due.
  public void advance(long to) {
    watermark = to;
    behind = Math.max(behind, Math.min(to, holds.least()));
  }

  /// Fires what is due by the clock, and what became due in event time of it.
  public void tick(KeyedTimers.Firing firing) {
    long now = clock.getAsLong();
    boolean done = false;
    while (!done) {
      done = timers.fire(TimeDomain.PROCESSING_TIME, now - 1, AT_ONCE, firing);
    }
    while (hasDue(watermark) && !advance(watermark, AT_ONCE, firing)) {
      // until all has fired that was set for a time that has passed
    }
  }

  /// Returns the earliest time at which event time is held back.
  public long hold() {
    return holds.least();
  }

  /// Whether there is a timer by the clock, or something holds event time back.
  public boolean isWaiting() {
    return holds.least() < Long.MAX_VALUE || timers.clockDueMillis() < Long.MAX_VALUE;
  }

  /// Returns the watermark that all behind the transform have come to.
  public long passed() {
    return passed.watermark();
  }

  /// Takes over the watermark that all behind the transform have come to.
  public void passed(long now) {
    passed.watermark(now);
  }

  /// Stores what has changed.
  public void store() {
    state.store();
  }

  /// Writes what is kept with a commit.
  public void beforeCommit() {
    state.beforeCommit();
    passed.beforeCommit();
  }
}

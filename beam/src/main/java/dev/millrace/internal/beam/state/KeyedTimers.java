package dev.millrace.internal.beam.state;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.apache.beam.runners.core.StateNamespace;
import org.apache.beam.runners.core.StateNamespaces;
import org.apache.beam.runners.core.TimerInternals;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.CausedByDrain;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/// The timers of Beam's transforms in the stores of a task, for one key at a time.
///
/// Each is an entry under its time, and one under what it is called, which has its times: so
/// setting it again moves it.
public final class KeyedTimers implements TimerInternals {
  /// Where it stands in the store of values: no cell of a state begins so.
  private static final byte TIMERS = 't';

  /// So many timers that are due are read at once.
  private static final int AT_ONCE = 256;

  private static final int EVENT = 0;
  private static final int PROCESSING = 1;
  private static final int SYNCHRONIZED = 2;

  /// What is done when a timer fires.
  @FunctionalInterface
  public interface Firing {
    /// The state is at the timer's key.
    void fire(TimerData timer);
  }

  private final KeyedState state;
  private final KeyValueStore<Bytes, Bytes> places;
  private final KeyValueStore<Bytes, Bytes> event;
  private final KeyValueStore<Bytes, Bytes> clock;
  private final DueEntries<Bytes> eventDue;
  private final DueEntries<Bytes> clockDue;
  private final TimeKey timeKey = new TimeKey();
  private final Coder<? extends BoundedWindow> windows;
  private final Function<Bytes, @Nullable Object> keys;
  private final Holds holds;
  private final Predicate<TimerData> holding;
  private final Times times;

  /// What the time is for a transform, in milliseconds since 1970.
  public interface Times {
    long inputWatermark();

    long outputWatermark();

    long clock();
  }

  /// @param keys gives a key from what stands for it
  /// @param holding whether a timer holds event time back until it fires
  public KeyedTimers(
      KeyedState state,
      Stores stores,
      Coder<? extends BoundedWindow> windows,
      Function<Bytes, @Nullable Object> keys,
      Holds holds,
      Predicate<TimerData> holding,
      Times times) {
    this.state = state;
    places = stores.values();
    event = stores.event();
    clock = stores.clock();
    eventDue = new DueEntries<>(event);
    clockDue = new DueEntries<>(clock);
    this.windows = windows;
    this.keys = keys;
    this.holds = holds;
    this.holding = holding;
    this.times = times;
    for (KeyValueStore<Bytes, Bytes> each : List.of(event, clock)) {
      each.range(
          null,
          null,
          (entry, output) -> {
            hold(timer(entry, output), Holds::add);
            return true;
          });
    }
  }

  /// The stores of an operator's timers.
  ///
  /// @param values where their times are, beside the values of states
  public record Stores(
      KeyValueStore<Bytes, Bytes> values,
      KeyValueStore<Bytes, Bytes> event,
      KeyValueStore<Bytes, Bytes> clock) {
    public static StoreSpec<Bytes, Bytes> event(String operator) {
      return spec(operator + "-event-timers");
    }

    public static StoreSpec<Bytes, Bytes> clock(String operator) {
      return spec(operator + "-clock-timers");
    }

    private static StoreSpec<Bytes, Bytes> spec(String name) {
      return StoreSpec.keyValue(name, BytesSerde.INSTANCE, BytesSerde.INSTANCE).withRanges();
    }
  }

  private void hold(TimerData timer, ObjLongConsumer<Holds> change) {
    if (holding.test(timer)) {
      change.accept(holds, timer.getOutputTimestamp().getMillis());
    }
  }

  @Override
  public void setTimer(
      StateNamespace namespace,
      String id,
      String family,
      Instant target,
      Instant output,
      TimeDomain domain) {
    setTimer(TimerData.of(id, family, namespace, target, output, domain));
  }

  @Deprecated
  @Override
  public void setTimer(TimerData timer) {
    Bytes name =
        name(timer.getNamespace(), timer.getTimerId(), timer.getTimerFamilyId(), timer.getDomain());
    Bytes place = Cells.at(Bytes.of(new byte[] {TIMERS}), name);
    long time = timer.getTimestamp().getMillis();
    Bytes both = numbers(time, timer.getOutputTimestamp().getMillis());
    if (both.equals(places.get(place))) {
      return; // grouping sets the same ones for each element
    }
    delete(place, name, timer.getDomain());
    places.put(place, both);
    Bytes entry = timeKey.of(time, name).copy();
    store(timer.getDomain()).put(entry, numbers(timer.getOutputTimestamp().getMillis()));
    due(timer.getDomain()).added(entry);
    hold(timer, Holds::add);
  }

  private static Bytes numbers(long... all) {
    BytesWriter out = new BytesWriter(all.length * Long.BYTES);
    for (long each : all) {
      out.writeLong(each);
    }
    return Bytes.of(out.toByteArray());
  }

  private static boolean isEvent(TimeDomain domain) {
    return domain == TimeDomain.EVENT_TIME;
  }

  private KeyValueStore<Bytes, Bytes> store(TimeDomain domain) {
    return isEvent(domain) ? event : clock;
  }

  private DueEntries<Bytes> due(TimeDomain domain) {
    return isEvent(domain) ? eventDue : clockDue;
  }

  private Bytes name(StateNamespace namespace, String id, String family, TimeDomain domain) {
    BytesWriter out = new BytesWriter(64);
    Frames.write(state.keyBytes(), out);
    Frames.write(state.bytes(namespace), out);
    Cells.frame(family, out);
    Cells.frame(id, out);
    out.writeInt(
        switch (domain) {
          case EVENT_TIME -> EVENT;
          case PROCESSING_TIME -> PROCESSING;
          case SYNCHRONIZED_PROCESSING_TIME -> SYNCHRONIZED;
        });
    return Bytes.of(out.toByteArray());
  }

  @Override
  public void deleteTimer(StateNamespace namespace, String id, String family, TimeDomain domain) {
    Bytes name = name(namespace, id, family, domain);
    delete(Cells.at(Bytes.of(new byte[] {TIMERS}), name), name, domain);
  }

  private void delete(Bytes place, Bytes name, TimeDomain domain) {
    Bytes found = places.get(place);
    if (found == null) {
      return;
    }
    places.delete(place);
    Bytes entry = timeKey.of(new Frames.Reader(found).readLong(), name).copy();
    KeyValueStore<Bytes, Bytes> store = store(domain);
    Bytes output = store.get(entry);
    if (output != null) {
      hold(timer(entry, output), Holds::remove);
      store.delete(entry);
    }
  }

  @Deprecated
  @Override
  public void deleteTimer(StateNamespace namespace, String id, String family) {
    for (TimeDomain domain : TimeDomain.values()) {
      deleteTimer(namespace, id, family, domain);
    }
  }

  @Deprecated
  @Override
  public void deleteTimer(TimerData timer) {
    deleteTimer(
        timer.getNamespace(), timer.getTimerId(), timer.getTimerFamilyId(), timer.getDomain());
  }

  /// Fires timers in the order of their times, also those that are set meanwhile.
  ///
  /// @param latest those of later times are not due
  /// @return whether all that are due have fired
  public boolean fire(TimeDomain domain, long latest, int budget, Firing firing) {
    DueEntries<Bytes> all = due(domain);
    int left = budget;
    while (left > 0) {
      List<Bytes> first = new ArrayList<>();
      int most = Math.min(left, AT_ONCE);
      all.take(latest, most, first::add);
      if (first.isEmpty()) {
        return true;
      }
      for (Bytes entry : first) {
        if (all.earliest() < TimeKey.time(entry)) {
          all.added(entry); // one was set meanwhile that is earlier
        } else {
          fire(entry, isEvent(domain), firing);
          left--;
        }
      }
    }
    return false;
  }

  private void fire(Bytes entry, boolean isEvent, Firing firing) {
    KeyValueStore<Bytes, Bytes> store = isEvent ? event : clock;
    Bytes output = store.get(entry);
    if (output == null) {
      return;
    }
    TimerData timer = timer(entry, output);
    store.delete(entry);
    Bytes name = TimeKey.rowKey(entry, new Bytes());
    places.delete(Cells.at(Bytes.of(new byte[] {TIMERS}), name));
    Bytes key = new Frames.Reader(name).frame().copy();
    state.key(key, keys.apply(key));
    firing.fire(timer);
    hold(timer, Holds::remove);
  }

  /// Returns when the first timer by the clock may fire, in milliseconds since 1970;
  /// `Long.MAX_VALUE` if none is set.
  public long clockDueMillis() {
    return clockDue.earliest();
  }

  /// Returns when the first timer in event time may fire; `Long.MAX_VALUE` if none is set.
  public long eventDueMillis() {
    return eventDue.earliest();
  }

  private TimerData timer(Bytes entry, Bytes output) {
    Frames.Reader name = new Frames.Reader(TimeKey.rowKey(entry, new Bytes()));
    name.frame(); // the key
    StateNamespace namespace = StateNamespaces.fromString(name.frame().toUtf8(), windows);
    String family = name.frame().toUtf8();
    String id = name.frame().toUtf8();
    TimeDomain domain =
        switch (name.readInt()) {
          case EVENT -> TimeDomain.EVENT_TIME;
          case PROCESSING -> TimeDomain.PROCESSING_TIME;
          default -> TimeDomain.SYNCHRONIZED_PROCESSING_TIME;
        };
    return TimerData.of(
        id,
        family,
        namespace,
        Instant.ofEpochMilli(TimeKey.time(entry)),
        Instant.ofEpochMilli(new Frames.Reader(output).readLong()),
        domain,
        CausedByDrain.NORMAL);
  }

  @Override
  public Instant currentProcessingTime() {
    return Instant.ofEpochMilli(times.clock());
  }

  @Override
  public Instant currentSynchronizedProcessingTime() {
    return currentProcessingTime();
  }

  @Override
  public Instant currentInputWatermarkTime() {
    return instant(times.inputWatermark());
  }

  @Override
  public Instant currentOutputWatermarkTime() {
    return instant(times.outputWatermark());
  }

  /// Returns a watermark of the engine as one of Beam, which has a first and a last.
  public static Instant instant(long watermark) {
    return Instant.ofEpochMilli(
        Math.clamp(
            watermark,
            BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis(),
            BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis()));
  }
}

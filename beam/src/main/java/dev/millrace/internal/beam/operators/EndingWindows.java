package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.beam.state.LongKeys;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import java.util.List;
import java.util.function.Consumer;
import org.apache.beam.runners.core.GroupAlsoByWindowsAggregators;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/// The windows of keys that have one result, when the window has ended: which there are, in the
/// order of their ends.
///
/// What is kept of a key in a window has a place in the stores: the length of the window's bytes,
/// those bytes, and what stands for the key.
final class EndingWindows {
  private static final Bytes NOTHING = Bytes.of(new byte[] {0});

  private final Counter dropped =
      Metrics.counter(
          GroupAlsoByWindowsAggregators.class,
          GroupAlsoByWindowsAggregators.DROPPED_DUE_TO_LATENESS_COUNTER);
  private final Coder<BoundedWindow> windowCoder;
  private final KeyValueStore<Bytes, Bytes> store;
  private final DueEntries<Bytes> due;
  private final LongKeys longKeys;
  private final BytesWriter place = new BytesWriter(64);
  private final Bytes view = new Bytes();
  private final TimeKey timeKey = new TimeKey();
  private @Nullable BoundedWindow last;
  private int lastLength;
  private long watermark;

  EndingWindows(
      OperatorContext context, String operator, Coder<? extends BoundedWindow> windowCoder) {
    this.windowCoder = DoFnSpec.coder(windowCoder);
    store = context.store(ends(operator));
    due = new DueEntries<>(store);
    longKeys = new LongKeys(context.store(keys(operator)));
    watermark = context.watermark();
  }

  /// Whether each window has one result, when it has ended, at that time.
  static boolean are(WindowingStrategy<?, ?> windowing) {
    return windowing.getWindowFn().isNonMerging()
        && windowing.getTrigger() instanceof DefaultTrigger
        && windowing.getAllowedLateness().equals(Duration.ZERO)
        && windowing.getTimestampCombiner() == TimestampCombiner.END_OF_WINDOW;
  }

  /// Returns the stores that an operator has for them.
  static List<StoreSpec<?, ?>> stores(String operator) {
    return List.of(ends(operator), keys(operator));
  }

  private static StoreSpec<Bytes, Bytes> ends(String operator) {
    return StoreSpec.keyValue(operator + "-ends", BytesSerde.INSTANCE, BytesSerde.INSTANCE)
        .withRanges();
  }

  private static StoreSpec<Bytes, Bytes> keys(String operator) {
    return StoreSpec.keyValue(operator + "-keys", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
  }

  /// Whether a window has ended, so that what comes for it is dropped; then it is counted.
  boolean drops(BoundedWindow window) {
    boolean ended = window.maxTimestamp().getMillis() < watermark;
    if (ended) {
      dropped.inc();
    }
    return ended;
  }

  /// Returns the place of a key in a window, valid until the next call.
  Bytes place(BoundedWindow window, Bytes key) {
    if (window.equals(last)) {
      place.truncate(lastLength);
    } else {
      place.clear();
      Frames.write(Coding.bytes(windowCoder, window), place);
      lastLength = place.length();
      last = window;
    }
    longKeys.write(key, place);
    return place.view(view, 0);
  }

  /// Begins a window of a key.
  void begin(BoundedWindow window, Bytes at) {
    Bytes end = timeKey.of(window.maxTimestamp().getMillis(), at);
    store.put(end, NOTHING);
    due.added(end);
  }

  /// Event time moves on: windows end.
  ///
  /// @param result is given the places of those that have ended; it may write to stores
  /// @return whether all have been given to it that have ended
  boolean advance(long to, int budget, Consumer<Bytes> result) {
    watermark = to;
    return due.take(
        to == Long.MAX_VALUE ? to : to - 1,
        budget,
        end -> {
          result.accept(TimeKey.rowKey(end, new Bytes()));
          store.delete(end);
        });
  }

  /// Returns the window of a place.
  BoundedWindow window(Bytes at) {
    return Coding.read(windowCoder, new Frames.Reader(at).frame(), 0);
  }

  /// Returns the key of a place.
  Bytes key(Bytes at) {
    Frames.Reader reader = new Frames.Reader(at);
    reader.frame(); // the window
    int start = reader.position();
    return longKeys.key(new Bytes().set(at.array(), at.offset() + start, at.length() - start));
  }
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.state.BytesSerde;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;

/// What is kept of the keys of a task in their windows, each of which has one result, when it has
/// ended.
interface KeptWindows {
  /// Adds a value.
  ///
  /// @param window one that has not ended
  /// @param key valid during the call
  /// @param value as it was written, valid during the call
  void add(BoundedWindow window, Bytes key, Bytes value);

  /// The rows of a slice have been added. Results come only after that.
  void sliceEnds();

  /// Event time moves on: windows end.
  ///
  /// @param budget how many results are given at most, about
  /// @return whether all windows have given their results that have ended
  boolean advance(long watermark, int budget, Results results);

  /// Takes results.
  @FunctionalInterface
  interface Results {
    void of(Bytes key, BoundedWindow window, Object result);
  }

  /// Whether each window has one result, when it has ended, at that time.
  static boolean are(WindowingStrategy<?, ?> windowing) {
    return windowing.getTrigger() instanceof DefaultTrigger
        && windowing.getAllowedLateness().equals(Duration.ZERO)
        && windowing.getTimestampCombiner() == TimestampCombiner.END_OF_WINDOW;
  }

  /// What is kept by windows, and where.
  ///
  /// @param operator the name of the node
  /// @param merges whether windows merge that come together
  record Spec(
      String operator, WindowFn<?, BoundedWindow> windowFn, boolean merges, Gathering.Kind kind) {
    @SuppressWarnings("unchecked")
    static Spec of(String operator, WindowingStrategy<?, ?> windowing, Gathering.Kind kind) {
      return new Spec(
          operator,
          (WindowFn<?, BoundedWindow>) windowing.getWindowFn(),
          windowing.needsMerge(),
          kind);
    }

    /// Returns what is kept in each window.
    StoreSpec<Bytes, Object> kept() {
      return StoreSpec.keyValue(operator + "-kept", BytesSerde.INSTANCE, kind.serde());
    }

    /// Returns the windows in the order of their ends.
    StoreSpec<Bytes, Bytes> ends() {
      return bytes("-ends").withRanges();
    }

    /// Returns the long keys.
    StoreSpec<Bytes, Bytes> keys() {
      return bytes("-keys");
    }

    /// Returns the windows of each key, if they merge.
    StoreSpec<Bytes, Object> windows() {
      return StoreSpec.keyValue(
          operator + "-windows",
          BytesSerde.INSTANCE,
          new WindowsOfKey.Format(windowFn.windowCoder()));
    }

    private StoreSpec<Bytes, Bytes> bytes(String suffix) {
      return StoreSpec.keyValue(operator + suffix, BytesSerde.INSTANCE, BytesSerde.INSTANCE);
    }

    List<StoreSpec<?, ?>> stores() {
      List<StoreSpec<?, ?>> all = new ArrayList<>(List.of(ends(), keys(), kept()));
      all.addAll(kind.stores());
      if (merges) {
        all.add(windows());
      }
      return all;
    }
  }
}

package dev.millrace.internal.beam.portable.stage;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.operators.KeyedWork;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.DelayedBundleApplication;
import org.apache.beam.runners.core.StateNamespaces;
import org.apache.beam.runners.core.StateTag;
import org.apache.beam.runners.core.StateTags;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Timestamp;
import org.joda.time.Instant;

/// The parts of elements that a splittable transform has given back, to be processed later. Each is
/// kept under a number, with a timer by the clock that holds event time back where the transform
/// says that its results may still come.
final class Residuals {
  private static final Bytes ONE = Bytes.ofUtf8("residuals");
  private static final String FAMILY = "residual";
  private static final int NANOS_A_MILLI = 1_000_000;

  private static final StateTag<ValueState<Long>> LAST = StateTags.value("last", VarLongCoder.of());

  private final KeyedWork work;
  private final Coder<WindowedValue<Object>> elements;
  private final LongSupplier clock;

  /// @param clock in milliseconds since 1970
  Residuals(KeyedWork work, Coder<WindowedValue<Object>> elements, LongSupplier clock) {
    this.work = work;
    this.elements = elements;
    this.clock = clock;
  }

  /// Keeps a part until its time has come.
  void add(DelayedBundleApplication residual) throws IOException {
    long delay =
        residual.getRequestedTimeDelay().getSeconds() * 1_000
            + residual.getRequestedTimeDelay().getNanos() / NANOS_A_MILLI;
    add(elements.decode(residual.getApplication().getElement().newInput()), delay, hold(residual));
  }

  /// Keeps an element that is to be processed as soon as it can be.
  void add(WindowedValue<Object> element) {
    add(element, 0, element.getTimestamp());
  }

  private void add(WindowedValue<Object> element, long delayMillis, Instant hold) {
    work.key(ONE);
    ValueState<Long> last = work.state().state(StateNamespaces.global(), LAST);
    Long before = last.read();
    long number = before == null ? 0 : before + 1;
    last.write(number);
    kept(Long.toString(number)).write(element);
    work.timers()
        .setTimer(
            StateNamespaces.global(),
            Long.toString(number),
            FAMILY,
            Instant.ofEpochMilli(clock.getAsLong() + delayMillis),
            hold,
            TimeDomain.PROCESSING_TIME);
  }

  private static Instant hold(DelayedBundleApplication residual) {
    long least =
        residual.getApplication().getOutputWatermarksMap().values().stream()
            .mapToLong(Residuals::millis)
            .min()
            .orElse(BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis());
    return Instant.ofEpochMilli(
        Math.clamp(
            least,
            BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis(),
            BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis()));
  }

  private static long millis(Timestamp time) {
    return time.getSeconds() * 1_000 + time.getNanos() / NANOS_A_MILLI;
  }

  /// Returns the part whose time has come; it is not kept any longer.
  WindowedValue<Object> due(TimerData timer) {
    ValueState<WindowedValue<Object>> state = kept(timer.getTimerId());
    WindowedValue<Object> element = state.read();
    if (element == null) {
      throw new IllegalStateException("The part of an element is missing: " + timer);
    }
    state.clear();
    return element;
  }

  private ValueState<WindowedValue<Object>> kept(String number) {
    return work.state()
        .state(StateNamespaces.global(), StateTags.value("part-" + number, elements));
  }
}

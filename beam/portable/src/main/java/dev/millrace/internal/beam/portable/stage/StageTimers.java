package dev.millrace.internal.beam.portable.stage;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.operators.KeyedWork;
import dev.millrace.internal.beam.state.Coding;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.runners.core.StateNamespaces;
import org.apache.beam.runners.core.StateNamespaces.WindowNamespace;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.runners.fnexecution.control.TimerReceiverFactory;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.util.construction.Timer;
import org.apache.beam.sdk.values.CausedByDrain;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/// The timers of a stage's keys, and the end of their states: what a key has in a window is deleted
/// when nothing can come for that window any more.
final class StageTimers {
  /// The family of the timers that delete states: no timer of a transform has it.
  private static final String ENDS = "";

  private static final String END = "end";

  private final KeyedWork work;
  private final UserStates states;
  private final Coder<Object> keys;
  private final Coder<? extends BoundedWindow> windows;
  private final Duration lateness;
  private final List<PutOff> putOff = new ArrayList<>();

  private record PutOff(Bytes key, TimerData timer) {}

  StageTimers(StageSpec spec, KeyedWork work, UserStates states, Coder<Object> keys) {
    this.work = work;
    this.states = states;
    this.keys = keys;
    windows = spec.windowing().getWindowFn().windowCoder();
    lateness = spec.windowing().getAllowedLateness();
  }

  /// Whether a timer holds event time back until it fires.
  static boolean holds(TimerData timer) {
    return !timer.getTimerFamilyId().equals(ENDS);
  }

  /// A timer that is due.
  ///
  /// @param receiver transform and family of the timer
  record Due(KV<String, String> receiver, Timer<?> timer) {}

  /// Goes to the key of an element, and sees to it that its states are deleted in time.
  ///
  /// @return the element in those of its windows that have not ended
  List<WindowedValue<Object>> begin(WindowedValue<Object> element) {
    work.key(bytes(((KV<?, ?>) element.getValue()).getKey()));
    List<WindowedValue<Object>> going = new ArrayList<>();
    for (WindowedValue<Object> each : element.explodeWindows()) {
      if (begin(each.getWindows().iterator().next())) {
        going.add(each);
      }
    }
    return going;
  }

  @SuppressWarnings("deprecation") // what runners may use
  private void set(TimerData timer) {
    work.timers().setTimer(timer);
  }

  private boolean begin(BoundedWindow window) {
    if (window instanceof GlobalWindow) {
      return true;
    }
    Instant end = window.maxTimestamp().plus(lateness);
    if (end.getMillis() < work.inputWatermark()) {
      return false;
    }
    set(end(window, end.plus(Duration.millis(1))));
    return true;
  }

  @SuppressWarnings("unchecked")
  private TimerData end(BoundedWindow window, Instant at) {
    return TimerData.of(
        END,
        ENDS,
        StateNamespaces.window((Coder<BoundedWindow>) windows, window),
        at,
        at,
        TimeDomain.EVENT_TIME,
        CausedByDrain.NORMAL);
  }

  /// Sets or deletes a timer as the harness says.
  void received(Timer<?> timer, TimerData data) {
    work.key(bytes(timer.getUserKey()));
    if (timer.getClearBit()) {
      work.timers()
          .deleteTimer(
              data.getNamespace(), data.getTimerId(), data.getTimerFamilyId(), data.getDomain());
    } else {
      set(data);
    }
  }

  @SuppressWarnings("NullAway") // the key of Beam's void is null
  private Bytes bytes(@Nullable Object key) {
    return Coding.bytes(keys, key);
  }

  /// Whether a timer is one that deletes states.
  static boolean isEnd(TimerData timer) {
    return timer.getTimerFamilyId().equals(ENDS);
  }

  /// Deletes the states of the key in the window of a timer.
  void end(TimerData timer) {
    states.clear(timer.getNamespace());
  }

  /// Has the states of the key be deleted once what is due before has been done.
  void putOff(TimerData timer) {
    putOff.add(new PutOff(bytes(work.state().getKey()), timer));
  }

  /// What was due has been done, and may have set timers that are due before states are deleted.
  void done() {
    for (PutOff each : putOff) {
      work.key(each.key());
      set(each.timer());
    }
    putOff.clear();
  }

  /// Returns a timer of the key as it goes to the harness.
  Due due(TimerData timer) {
    BoundedWindow window = ((WindowNamespace<?>) timer.getNamespace()).getWindow();
    return new Due(
        TimerReceiverFactory.decodeTimerDataTimerId(timer.getTimerFamilyId()),
        Timer.of(
            work.state().getKey(),
            timer.getTimerId(),
            List.of(window),
            timer.getTimestamp(),
            timer.getOutputTimestamp(),
            PaneInfo.NO_FIRING,
            timer.causedByDrain()));
  }
}

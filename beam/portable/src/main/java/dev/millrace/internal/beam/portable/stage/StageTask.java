package dev.millrace.internal.beam.portable.stage;

import dev.millrace.internal.beam.operators.KeyedWork;
import dev.millrace.internal.beam.operators.SideRow;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.RowSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.DelayedBundleApplication;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleSplitResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.util.construction.Timer;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// One task of a stage while it is open. Elements and timers are collected, and go to the harness
/// as one bundle when [#flush] is called.
final class StageTask implements AutoCloseable {
  private final StageSpec spec;
  private final StageMetrics metrics;
  private final @Nullable KeyedWork work;
  private final @Nullable StageTimers timers;
  private final @Nullable Residuals residuals;
  private final @Nullable StageViews views;
  private final StateRequests requests;
  private final Harness harness;
  private Bundle next = new Bundle();
  private List<String> toFinalize = new ArrayList<>();
  private List<String> frozen = List.of();

  StageTask(StageSpec spec, OperatorContext context, JobBundleFactory job, StageMetrics metrics) {
    this.spec = spec;
    this.metrics = metrics;
    views = spec.views().isEmpty() ? null : new StageViews(spec, context);
    Coder<Object> keys = spec.keys();
    UserStates states = null;
    if (keys != null) {
      work = work(context, keys);
      states = new UserStates(spec, work);
      timers = new StageTimers(spec, work, states, keys);
      residuals = null;
    } else if (spec.isSplittable()) {
      work = work(context, VoidCoder.of());
      timers = null;
      residuals = new Residuals(work, spec.elements(), context::clock);
    } else {
      work = null;
      timers = null;
      residuals = null;
    }
    requests = new StateRequests(views, states);
    harness = new Harness(spec, job, requests.token());
  }

  private KeyedWork work(OperatorContext context, Coder<?> keys) {
    return new KeyedWork(
        context,
        spec.operator(),
        spec.windowing().getWindowFn().windowCoder(),
        keys,
        StageTimers::holds,
        context::clock);
  }

  /// Returns state, timers and time of the task; null if it has none.
  @Nullable KeyedWork work() {
    return work;
  }

  /// Takes an element for the next bundle, or to wait for views.
  void element(WindowedValue<Object> element) {
    if (views == null) {
      ready(element);
    } else {
      views.admit(element, this::ready);
    }
  }

  private void ready(WindowedValue<Object> element) {
    if (timers == null) {
      next.elements().add(element);
    } else {
      next.elements().addAll(timers.begin(element));
    }
  }

  /// Takes in what has come for a view.
  void view(int view, SideRow row) {
    views().take(view, row);
  }

  /// Whether elements may wait for views that need not any longer.
  boolean mayRelease() {
    return views != null && views.mayRelease();
  }

  /// Gives elements to the next bundle that need not wait for views any longer.
  void release() {
    views().release(this::ready);
  }

  private StageViews views() {
    if (views == null) {
      throw new IllegalStateException("The stage reads no views.");
    }
    return views;
  }

  /// Returns the earliest time of an element that waits for views.
  long hold() {
    return views == null ? Long.MAX_VALUE : views.hold();
  }

  /// Takes a timer that is due for the next bundle. States are deleted when all that is due before
  /// has been processed.
  void fire(TimerData timer) {
    if (residuals != null) {
      next.elements().add(residuals.due(timer));
    } else if (timers != null && StageTimers.isEnd(timer)) {
      if (next.isEmpty()) {
        timers.end(timer);
      } else {
        timers.putOff(timer);
      }
    } else if (timers != null) {
      next.timers().add(timers.due(timer));
    }
  }

  /// Has the next bundle processed.
  void flush(RowSink out) {
    if (next.isEmpty()) {
      return;
    }
    Bundle bundle = next;
    next = new Bundle();
    Harness.Ended ended = harness.process(bundle, new Receiver(out));
    if (timers != null) {
      timers.done();
    }
    metrics.add(ended.response().getMonitoringInfosList());
    keep(bundle, ended);
    if (ended.finalized() != null) {
      toFinalize.add(ended.finalized());
    }
  }

  /// Keeps what the harness has given back: parts of elements, and the elements that it has not
  /// begun with.
  private void keep(Bundle bundle, Harness.Ended ended) {
    List<DelayedBundleApplication> parts = new ArrayList<>(ended.response().getResidualRootsList());
    List<WindowedValue<Object>> elements = new ArrayList<>();
    int end = bundle.elements().size();
    for (ProcessBundleSplitResponse each : ended.splits()) {
      parts.addAll(each.getResidualRootsList());
      for (ProcessBundleSplitResponse.ChannelSplit split : each.getChannelSplitsList()) {
        int from = Math.min(end, (int) split.getFirstResidualElement());
        elements.addAll(bundle.elements().subList(from, end));
        end = from;
      }
    }
    if (parts.isEmpty() && elements.isEmpty()) {
      return;
    }
    if (residuals == null) {
      throw new IllegalStateException(
          "The stage '%s' gives back a part of an element, but is not splittable."
              .formatted(spec.step()));
    }
    try {
      for (DelayedBundleApplication each : parts) {
        residuals.add(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    elements.forEach(residuals::add);
  }

  /// Puts into the stores what is kept beside them.
  void store() {
    if (work != null) {
      work.store();
    }
    if (views != null) {
      views.store();
    }
  }

  void beforeCommit() {
    if (work != null) {
      work.beforeCommit();
    }
    if (views != null) {
      views.store();
    }
    List<String> all = new ArrayList<>(frozen);
    all.addAll(toFinalize);
    frozen = all;
    toFinalize = new ArrayList<>();
    metrics.beforeCommit();
  }

  void afterCommit() {
    harness.finalizeBundles(frozen);
    frozen = List.of();
    metrics.afterCommit();
  }

  @Override
  public void close() {
    harness.close();
  }

  /// Emits what the harness gives. The time of a row is always 0: that of an element goes with it.
  private final class Receiver implements BundleReceiver {
    private final RowSink out;

    Receiver(RowSink out) {
      this.out = out;
    }

    @Override
    public void element(String collection, WindowedValue<?> element) {
      Integer number = spec.outputs().get(collection);
      if (number != null) {
        out.emit(null, spec.outputs().size() > 1 ? new Output(number, element) : element, 0);
      }
    }

    @Override
    public void timer(Timer<?> timer, TimerData data) {
      if (timers == null) {
        throw new IllegalStateException("The stage has no timers.");
      }
      timers.received(timer, data);
    }

    @Override
    public StateResponse.Builder state(StateRequest request) throws IOException {
      return requests.answer(request);
    }
  }
}

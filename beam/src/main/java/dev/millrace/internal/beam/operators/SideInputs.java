package dev.millrace.internal.beam.operators;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.state.Cells;
import dev.millrace.internal.beam.state.Holds;
import dev.millrace.internal.beam.state.KeyedState;
import dev.millrace.internal.beam.state.KeyedTimers;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.beam.runners.core.ReadyCheckingSideInputReader;
import org.apache.beam.runners.core.SideInputHandler;
import org.apache.beam.runners.core.StateNamespaces;
import org.apache.beam.runners.core.StateTag;
import org.apache.beam.runners.core.StateTags;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.MapState;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// The views that a transform reads, and the elements that wait for them: an element is processed
/// when each view has something for its window, or can have nothing any more.
public final class SideInputs implements ReadyCheckingSideInputReader {
  private static final Bytes ONE = Bytes.ofUtf8("side");

  private final List<PCollectionView<?>> views;
  private final int senders;
  private final Holds holds = new Holds();
  private final KeyedState state;
  private final SideInputHandler handler;
  private final StateTag<BagState<WindowedValue<Object>>> waitingTag;

  /// By view, up to where event time has come at all who send it.
  private final long[] reached;

  private List<WindowedValue<Object>> waiting;

  /// Whether something has come since elements were released last.
  private boolean more = true;

  /// @param views in the order of the operator's inputs
  /// @param senders how many tasks send each of them
  public SideInputs(
      OperatorContext context,
      String operator,
      List<PCollectionView<?>> views,
      int senders,
      Coder<WindowedValue<Object>> elements) {
    this.views = views;
    this.senders = senders;
    state =
        new KeyedState(
            context.store(Cells.values(operator + "-sides")),
            context.store(Cells.entries(operator + "-sides")),
            holds);
    state.key(ONE, null);
    handler = new SideInputHandler(views, state);
    waitingTag = StateTags.bag("waiting", elements);
    waiting = new ArrayList<>();
    waitingBag().read().forEach(waiting::add);
    waiting.forEach(each -> holds.add(each.getTimestamp().getMillis()));
    reached = new long[views.size()];
    for (int view = 0; view < reached.length; view++) {
      reached[view] = least(view);
    }
  }

  /// Returns the stores that an operator has for it.
  public static List<StoreSpec<?, ?>> stores(String operator) {
    return List.of(Cells.values(operator + "-sides"), Cells.entries(operator + "-sides"));
  }

  private BagState<WindowedValue<Object>> waitingBag() {
    return state.state(StateNamespaces.global(), waitingTag);
  }

  private MapState<Integer, Long> senders(int view) {
    return state.state(
        StateNamespaces.global(),
        StateTags.map("reached-" + view, VarIntCoder.of(), BigEndianLongCoder.of()));
  }

  private long least(int view) {
    MapState<Integer, Long> each = senders(view);
    long least = Long.MAX_VALUE;
    for (int sender = 0; sender < senders; sender++) {
      Long known = each.get(sender).read();
      least = Math.min(least, known == null ? Long.MIN_VALUE : known);
    }
    return least;
  }

  /// Takes in what has come for a view.
  @SuppressWarnings("unchecked")
  public void take(int view, SideRow row) {
    switch (row) {
      case SideRow.Pane(var elements) -> {
        handler.addSideInputValue(
            views.get(view), (WindowedValue<Iterable<?>>) (WindowedValue<?>) elements);
        more = true;
      }
      case SideRow.Reached(int sender, long watermark) -> {
        senders(view).put(sender, watermark);
        long now = least(view);
        more |= now > reached[view];
        reached[view] = now;
      }
    }
  }

  /// Keeps elements until the views are there.
  public void push(Iterable<WindowedValue<Object>> elements) {
    for (WindowedValue<Object> each : elements) {
      waiting.add(each);
      waitingBag().add(each);
      holds.add(each.getTimestamp().getMillis());
    }
  }

  /// Gives the elements that wait to who can process some of them.
  ///
  /// @param process returns those that go on waiting
  public void release(Function<WindowedValue<Object>, Iterable<WindowedValue<Object>>> process) {
    boolean changed = more;
    more = false;
    if (waiting.isEmpty() || !changed) {
      return;
    }
    List<WindowedValue<Object>> before = waiting;
    List<WindowedValue<Object>> left = new ArrayList<>();
    for (WindowedValue<Object> each : before) {
      process.apply(each).forEach(left::add);
    }
    if (left.size() == before.size()) {
      return;
    }
    before.forEach(each -> holds.remove(each.getTimestamp().getMillis()));
    left.forEach(each -> holds.add(each.getTimestamp().getMillis()));
    BagState<WindowedValue<Object>> bag = waitingBag();
    bag.clear();
    left.forEach(bag::add);
    waiting = left;
  }

  /// Returns the earliest time of an element that waits.
  public long hold() {
    return holds.least();
  }

  @Override
  public boolean isReady(PCollectionView<?> view, BoundedWindow window) {
    return handler.isReady(view, window)
        || KeyedTimers.instant(reached[views.indexOf(view)]).isAfter(window.maxTimestamp());
  }

  @Override
  public <T> @Nullable T get(PCollectionView<T> view, BoundedWindow window) {
    return handler.get(view, window);
  }

  /// Returns the elements of a view in a window; none if nothing has come.
  public Iterable<?> elements(PCollectionView<?> view, BoundedWindow window) {
    return handler.getIterable(view, window);
  }

  @Override
  public <T> boolean contains(PCollectionView<T> view) {
    return views.contains(view);
  }

  @Override
  public boolean isEmpty() {
    return views.isEmpty();
  }
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.beam.state.KeyedTimers;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.runners.core.InMemoryMultimapSideInputView;
import org.apache.beam.runners.core.ReadyCheckingSideInputReader;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.IterableCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.Materializations;
import org.apache.beam.sdk.transforms.Materializations.IterableView;
import org.apache.beam.sdk.transforms.Materializations.MultimapView;
import org.apache.beam.sdk.transforms.ViewFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.jspecify.annotations.Nullable;

/// The views that a transform reads. What they have in each window is stored; those that were read
/// last are kept as objects.
@SuppressWarnings("deprecation") // what runners may use
public final class SideInputs implements ReadyCheckingSideInputReader {
  private static final byte PANE = 'v';
  private static final byte REACHED = 'r';
  private static final int MOST_READ = 64;
  private static final int MOST_READY = 1_000;

  private final List<PCollectionView<?>> views;
  private final int senders;
  private final KeyValueStore<Bytes, Bytes> store;

  /// By view, up to where event time has come at all who send it.
  private final long[] reached;

  private final Map<Place, Optional<Object>> read = new LinkedHashMap<>(MOST_READ, 0.75f, true);

  /// Whether all views are there for windows of elements. Where they are, they stay.
  private final Map<BoundedWindow, Boolean> ready = new LinkedHashMap<>(MOST_READY, 0.75f, true);

  /// What a view has in a window.
  private record Place(int view, BoundedWindow window) {}

  /// @param views in the order of the operator's inputs
  /// @param senders how many tasks send each of them
  SideInputs(
      OperatorContext context, String operator, List<PCollectionView<?>> views, int senders) {
    this.views = views;
    this.senders = senders;
    store = context.store(store(operator));
    reached = new long[views.size()];
    for (int view = 0; view < reached.length; view++) {
      reached[view] = least(view);
    }
  }

  /// Declares the store that an operator has for them.
  static StoreSpec<Bytes, Bytes> store(String operator) {
    return StoreSpec.keyValue(operator + "-views", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
  }

  private static Bytes sender(int view, int sender) {
    BytesWriter out = new BytesWriter(1 + 2 * Integer.BYTES);
    out.writeByte(REACHED);
    out.writeInt(view);
    out.writeInt(sender);
    return Bytes.of(out.toByteArray());
  }

  private Bytes pane(int view, BoundedWindow window) {
    Coder<BoundedWindow> coder =
        DoFnSpec.coder(views.get(view).getWindowingStrategyInternal().getWindowFn().windowCoder());
    BytesWriter out = new BytesWriter(32);
    out.writeByte(PANE);
    out.writeInt(view);
    Coding.write(coder, window, out);
    return Bytes.of(out.toByteArray());
  }

  private Coder<Iterable<Object>> coder(int view) {
    return DoFnSpec.coder(IterableCoder.of(views.get(view).getCoderInternal()));
  }

  private long least(int view) {
    long least = Long.MAX_VALUE;
    for (int sender = 0; sender < senders; sender++) {
      Bytes known = store.get(sender(view, sender));
      least = Math.min(least, known == null ? Long.MIN_VALUE : new Frames.Reader(known).readLong());
    }
    return least;
  }

  /// Takes in what has come for a view.
  ///
  /// @return whether more may be ready than before
  boolean take(int view, SideRow row) {
    boolean more = keep(view, row);
    if (more) {
      ready.values().removeIf(each -> !each);
    }
    return more;
  }

  private boolean keep(int view, SideRow row) {
    return switch (row) {
      case SideRow.Pane(var elements) -> {
        BytesWriter out = new BytesWriter(64);
        Coding.write(coder(view), elements.getValue(), out);
        Bytes bytes = Bytes.of(out.toByteArray());
        for (BoundedWindow window : elements.getWindows()) {
          store.put(pane(view, window), bytes);
          read.remove(new Place(view, window));
        }
        yield true;
      }
      case SideRow.Reached(int sender, long watermark) -> {
        BytesWriter out = new BytesWriter(Long.BYTES);
        out.writeLong(watermark);
        store.put(sender(view, sender), Bytes.of(out.toByteArray()));
        long before = reached[view];
        reached[view] = least(view);
        yield reached[view] > before;
      }
    };
  }

  /// Whether each view has something for a window of elements, or can have nothing any more.
  boolean areReady(BoundedWindow window) {
    Boolean known = ready.get(window);
    if (known == null) {
      known =
          views.stream()
              .allMatch(
                  view -> isReady(view, view.getWindowMappingFn().getSideInputWindow(window)));
      ready.put(window, known);
      forget(ready, MOST_READY);
    }
    return known;
  }

  private static <K> void forget(Map<K, ?> map, int most) {
    if (map.size() > most) {
      map.keySet().remove(map.keySet().iterator().next());
    }
  }

  @Override
  public boolean isReady(PCollectionView<?> view, BoundedWindow window) {
    int number = views.indexOf(view);
    return KeyedTimers.instant(reached[number]).isAfter(window.maxTimestamp())
        || store.get(pane(number, window)) != null;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> @Nullable T get(PCollectionView<T> view, BoundedWindow window) {
    Place place = new Place(views.indexOf(view), window);
    Optional<Object> known = read.get(place);
    if (known == null) {
      known = Optional.ofNullable(value(view, place));
      read.put(place, known);
      forget(read, MOST_READ);
    }
    return (T) known.orElse(null);
  }

  /// Returns the value of a view: that of no elements if it can have none any more.
  @SuppressWarnings("unchecked")
  private <T> @Nullable T value(PCollectionView<T> view, Place place) {
    Iterable<Object> elements = elements(place);
    String kind = view.getViewFn().getMaterialization().getUrn();
    if (kind.equals(Materializations.ITERABLE_MATERIALIZATION_URN)) {
      return ((ViewFn<IterableView<Object>, T>) view.getViewFn()).apply(() -> elements);
    }
    Coder<Object> keys = DoFnSpec.coder(((KvCoder<?, ?>) view.getCoderInternal()).getKeyCoder());
    Iterable<KV<Object, Object>> pairs = (Iterable<KV<Object, Object>>) (Iterable<?>) elements;
    MultimapView<Object, Object> multimap = InMemoryMultimapSideInputView.fromIterable(keys, pairs);
    return ((ViewFn<MultimapView<Object, Object>, T>) view.getViewFn()).apply(multimap);
  }

  /// Returns the elements of a view in a window; none if nothing has come.
  public Iterable<Object> elements(PCollectionView<?> view, BoundedWindow window) {
    return elements(new Place(views.indexOf(view), window));
  }

  private Iterable<Object> elements(Place place) {
    Bytes found = store.get(pane(place.view, place.window));
    return found == null ? List.of() : Coding.read(coder(place.view), found, 0);
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

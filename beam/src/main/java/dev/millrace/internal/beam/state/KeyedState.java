package dev.millrace.internal.beam.state;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.beam.runners.core.StateInternals;
import org.apache.beam.runners.core.StateNamespace;
import org.apache.beam.runners.core.StateTag;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.CombiningState;
import org.apache.beam.sdk.state.MapState;
import org.apache.beam.sdk.state.MultimapState;
import org.apache.beam.sdk.state.OrderedListState;
import org.apache.beam.sdk.state.SetState;
import org.apache.beam.sdk.state.State;
import org.apache.beam.sdk.state.StateBinder;
import org.apache.beam.sdk.state.StateContext;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.state.WatermarkHoldState;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.CombineWithContext.CombineFnWithContext;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.util.CombineFnUtil;
import org.jspecify.annotations.Nullable;

/// The state of Beam's transforms in the stores of a task, for one key at a time.
public final class KeyedState implements StateInternals {
  /// In the place of the key and the namespace of holds, which are walked over when a task begins.
  private static final byte HOLDS = 'h';

  private static final byte OTHERS = 'o';

  private static final int MOST_NAMESPACES = 256;

  /// So many keys have their states as objects, with so many bytes of these.
  private static final int MOST_KEYS = 1_000;

  private static final long MOST_BYTES = 1 << 20;

  private final Map<StateNamespace, Bytes> namespaces = new HashMap<>();

  /// The states of the keys that came last, by key, the one that came last at the end.
  private final Map<Bytes, StatesOfKey> remembered = new LinkedHashMap<>(16, 0.75f, true);

  /// Those that have been at hand since all were stored.
  private final Set<StatesOfKey> touched = new LinkedHashSet<>();

  /// How many bytes all that are remembered have, as far as is known.
  private long bytes;

  /// The states of the key.
  private StatesOfKey open = new StatesOfKey();

  private final Cells cells;
  private final Holds holds;
  private Bytes key = new Bytes();
  private @Nullable Object keyObject;

  /// Opens the state on what the stores have.
  public KeyedState(
      KeyValueStore<Bytes, Bytes> values, KeyValueStore<Bytes, Bytes> entries, Holds holds) {
    cells = new Cells(values, entries);
    this.holds = holds;
    cells.walk(
        Bytes.of(new byte[] {HOLDS}),
        (_, value) -> holds.add(Cells.value(InstantCoder.of(), value).getMillis()));
  }

  /// Goes to a key.
  ///
  /// @param of kept, not copied
  public void key(Bytes of, @Nullable Object object) {
    if (!of.equals(key)) {
      leave();
      key = of;
      StatesOfKey known = remembered.get(of);
      open = known == null ? new StatesOfKey() : known;
    }
    keyObject = object;
  }

  /// Another key comes: the states of this one stay objects for as long as there is room.
  private void leave() {
    if (!open.mayStay()) {
      forget(key, open);
      return;
    }
    bytes += open.growth();
    remembered.put(key, open);
    touched.add(open);
    makeRoom();
  }

  private void makeRoom() {
    while (remembered.size() > MOST_KEYS || bytes > MOST_BYTES) {
      Map.Entry<Bytes, StatesOfKey> eldest = remembered.entrySet().iterator().next();
      forget(eldest.getKey(), eldest.getValue());
    }
  }

  private void forget(Bytes of, StatesOfKey states) {
    states.store();
    if (remembered.remove(of) != null) {
      bytes -= states.forget();
      touched.remove(states);
    }
  }

  /// Stores what has changed.
  public void store() {
    open.store();
    for (StatesOfKey each : touched) {
      each.store();
      bytes += each.growth();
    }
    touched.clear();
    makeRoom();
  }

  /// A commit begins, or nobody reads any more what has been read: what was cleared is deleted.
  public void beforeCommit() {
    store();
    cells.beforeCommit();
  }

  /// The bytes of the key.
  Bytes keyBytes() {
    return key;
  }

  @Override
  @SuppressWarnings("NullAway") // the key of Beam's void is null
  public @Nullable Object getKey() {
    return keyObject;
  }

  @Override
  @SuppressWarnings("unchecked") // of one name there are states of one type
  public <T extends State> T state(
      StateNamespace namespace, StateTag<T> tag, StateContext<?> context) {
    StringBuilder name = new StringBuilder();
    try {
      tag.appendTo(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    StatesOfKey.Address address =
        new StatesOfKey.Address(namespace, name.toString(), tag.getSpec().getClass());
    State known = open.find(address);
    if (known != null) {
      return (T) known;
    }
    Binder binder = new Binder(bytes(namespace), address.name(), context);
    T made = tag.getSpec().bind(tag.getId(), binder);
    if (!binder.isOfContext) {
      open.put(address, made);
    }
    return made;
  }

  /// Returns the bytes of a namespace, whose text takes long to make.
  Bytes bytes(StateNamespace namespace) {
    Bytes known = namespaces.get(namespace);
    if (known == null) {
      if (namespaces.size() == MOST_NAMESPACES) {
        namespaces.clear();
      }
      known = Bytes.ofUtf8(namespace.stringKey());
      namespaces.put(namespace, known);
    }
    return known;
  }

  /// Makes the states of one place.
  private final class Binder implements StateBinder {
    private final Bytes namespace;
    private final String name;
    private final StateContext<?> context;

    /// Whether what was made belongs to the context for which it was made.
    private boolean isOfContext;

    Binder(Bytes namespace, String name, StateContext<?> context) {
      this.namespace = namespace;
      this.name = name;
      this.context = context;
    }

    private Bytes place() {
      return Cells.place(OTHERS, key, namespace, name);
    }

    @Override
    public <T> ValueState<T> bindValue(String id, StateSpec<ValueState<T>> spec, Coder<T> coder) {
      return new StoredValue<>(cells, place(), coder);
    }

    @Override
    public <T> BagState<T> bindBag(String id, StateSpec<BagState<T>> spec, Coder<T> coder) {
      return new StoredBag<>(cells, place(), coder);
    }

    @Override
    public <T> SetState<T> bindSet(String id, StateSpec<SetState<T>> spec, Coder<T> coder) {
      return new StoredSet<>(cells, place(), coder);
    }

    @Override
    public <K, V> MapState<K, V> bindMap(
        String id, StateSpec<MapState<K, V>> spec, Coder<K> keys, Coder<V> values) {
      return new StoredMap<>(cells, place(), keys, values);
    }

    @Override
    public <T> OrderedListState<T> bindOrderedList(
        String id, StateSpec<OrderedListState<T>> spec, Coder<T> coder) {
      return new StoredOrderedList<>(cells, place(), coder);
    }

    @Override
    public <K, V> MultimapState<K, V> bindMultimap(
        String id, StateSpec<MultimapState<K, V>> spec, Coder<K> keys, Coder<V> values) {
      return new StoredMultimap<>(cells, place(), keys, values);
    }

    @Override
    public <I, A, O> CombiningState<I, A, O> bindCombining(
        String id,
        StateSpec<CombiningState<I, A, O>> spec,
        Coder<A> coder,
        CombineFn<I, A, O> combining) {
      return new StoredCombination<>(cells, place(), coder, combining, false);
    }

    @Override
    public <I, A, O> CombiningState<I, A, O> bindCombiningWithContext(
        String id,
        StateSpec<CombiningState<I, A, O>> spec,
        Coder<A> coder,
        CombineFnWithContext<I, A, O> combining) {
      isOfContext = true;
      return new StoredCombination<>(
          cells, place(), coder, CombineFnUtil.bindContext(combining, context), true);
    }

    @Override
    public WatermarkHoldState bindWatermark(
        String id, StateSpec<WatermarkHoldState> spec, TimestampCombiner combiner) {
      return new StoredHold(cells, Cells.place(HOLDS, key, namespace, name), combiner, holds);
    }
  }
}

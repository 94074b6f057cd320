package dev.millrace.internal.beam.portable.stage;

import dev.millrace.internal.beam.operators.AwaitedViews;
import dev.millrace.internal.beam.operators.SideRow;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/// The views that a stage reads, and the elements that wait for them.
final class StageViews {
  private final StageSpec spec;
  private final AwaitedViews views;

  /// What was made of views that are read by keys, until something else comes.
  private final Map<Place, Map<ByteString, ByteString>> byKey = new HashMap<>();

  /// A view in one of its windows.
  private record Place(int view, BoundedWindow window) {}

  StageViews(StageSpec spec, OperatorContext context) {
    this.spec = spec;
    views =
        new AwaitedViews(
            context,
            spec.operator(),
            spec.views().stream().<PCollectionView<?>>map(StageView::view).toList(),
            spec.senders(),
            spec.elements(),
            spec.windowing().getWindowFn().windowCoder());
  }

  /// Takes in what has come for a view.
  void take(int view, SideRow row) {
    byKey.clear();
    views.take(view, row);
  }

  /// Gives an element to the stage in those of its windows for which all views are ready; in the
  /// others it waits.
  void admit(WindowedValue<Object> element, Consumer<WindowedValue<Object>> stage) {
    views.admit(element, null, (each, _) -> stage.accept(each));
  }

  /// Whether elements may wait that need not any longer.
  boolean mayRelease() {
    return views.mayRelease();
  }

  /// Gives elements to the stage that need not wait any longer: some of them, if there are many.
  void release(Consumer<WindowedValue<Object>> stage) {
    views.release((each, _) -> stage.accept(each));
  }

  /// Puts into the store what waits, as before a commit.
  void store() {
    views.store();
  }

  /// Returns the earliest time of an element that waits.
  long hold() {
    return views.hold();
  }

  /// Returns all elements of a view, one after the other.
  ByteString elements(StageView.Name name, ByteString window) throws IOException {
    int number = number(name);
    return encoded(view(number).elements(), found(number, window(number, window)));
  }

  /// Returns the values that a view has for a key, one after the other.
  ByteString values(StageView.Name name, ByteString window, ByteString key) throws IOException {
    int number = number(name);
    return byKey(number, window(number, window)).getOrDefault(key, ByteString.EMPTY);
  }

  /// Returns the keys that a view has, one after the other.
  ByteString keys(StageView.Name name, ByteString window) throws IOException {
    int number = number(name);
    return ByteString.copyFrom(byKey(number, window(number, window)).keySet());
  }

  private int number(StageView.Name name) {
    Integer number = spec.reads().get(name);
    if (number == null) {
      throw new IllegalArgumentException("The stage does not read " + name);
    }
    return number;
  }

  private StageView view(int number) {
    return spec.views().get(number);
  }

  private BoundedWindow window(int number, ByteString bytes) throws IOException {
    return view(number).windows().decode(bytes.newInput());
  }

  private Iterable<?> found(int number, BoundedWindow window) {
    return views.inputs().elements(view(number).view(), window);
  }

  @SuppressWarnings("unchecked")
  private KvCoder<Object, Object> pairs(int number) {
    return (KvCoder<Object, Object>) (Coder<?>) view(number).elements();
  }

  private Map<ByteString, ByteString> byKey(int number, BoundedWindow window) throws IOException {
    Place place = new Place(number, window);
    Map<ByteString, ByteString> known = byKey.get(place);
    if (known == null) {
      KvCoder<Object, Object> pairs = pairs(number);
      Map<ByteString, ByteString.Output> values = new LinkedHashMap<>();
      for (Object each : found(number, window)) {
        KV<?, ?> pair = (KV<?, ?>) each;
        ByteString.Output out =
            values.computeIfAbsent(
                bytes(pairs.getKeyCoder(), pair.getKey()), _ -> ByteString.newOutput());
        pairs.getValueCoder().encode(pair.getValue(), out);
      }
      known = new LinkedHashMap<>();
      for (Map.Entry<ByteString, ByteString.Output> each : values.entrySet()) {
        known.put(each.getKey(), each.getValue().toByteString());
      }
      byKey.put(place, known);
    }
    return known;
  }

  private static ByteString bytes(Coder<Object> coder, Object value) {
    ByteString.Output out = ByteString.newOutput();
    try {
      coder.encode(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteString();
  }

  private static ByteString encoded(Coder<Object> coder, Iterable<?> values) throws IOException {
    ByteString.Output out = ByteString.newOutput();
    for (Object each : values) {
      coder.encode(each, out);
    }
    return out.toByteString();
  }
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// Elements that wait for the views of their windows, in a store: by window, in the order in which
/// they came. Of each window there is a line in memory.
final class WaitingElements {
  private final KeyValueStore<Bytes, Bytes> store;
  private final Coder<WindowedValue<Object>> elements;
  private final Coder<BoundedWindow> windowCoder;
  private final Map<BoundedWindow, Line> lines = new LinkedHashMap<>();

  /// The elements of a window.
  private static final class Line {
    private final Bytes place;
    private long next;

    /// The earliest timestamp of those that have come.
    private long earliest = Long.MAX_VALUE;

    Line(Bytes place) {
      this.place = place;
    }

    Bytes at(long number) {
      BytesWriter out = new BytesWriter(place.length() + Long.BYTES);
      out.write(place);
      out.writeLong(number);
      return Bytes.of(out.toByteArray());
    }
  }

  /// An element that is ready, and the bytes of its key.
  private record Ready(Bytes place, @Nullable Bytes key, WindowedValue<Object> element) {}

  /// Opens them on what the store has.
  ///
  /// @param windowCoder of the windows of the elements
  WaitingElements(
      OperatorContext context,
      String operator,
      Coder<WindowedValue<Object>> elements,
      Coder<? extends BoundedWindow> windowCoder) {
    this.elements = elements;
    this.windowCoder = DoFnSpec.coder(windowCoder);
    store = context.store(store(operator));
    store.range(
        null,
        null,
        (place, value) -> {
          WindowedValue<Object> element = read(value).element;
          Line line = line(element.getWindows().iterator().next());
          line.next = number(place) + 1;
          line.earliest = Math.min(line.earliest, element.getTimestamp().getMillis());
          return true;
        });
  }

  /// Declares the store that an operator has for them.
  static StoreSpec<Bytes, Bytes> store(String operator) {
    return StoreSpec.keyValue(operator + "-waiting", BytesSerde.INSTANCE, BytesSerde.INSTANCE)
        .withRanges();
  }

  private static long number(Bytes place) {
    int start = place.length() - Long.BYTES;
    return new Frames.Reader(new Bytes().set(place.array(), place.offset() + start, Long.BYTES))
        .readLong();
  }

  private Line line(BoundedWindow window) {
    return lines.computeIfAbsent(
        window,
        _ -> {
          BytesWriter out = new BytesWriter(32);
          Frames.write(Coding.bytes(windowCoder, window), out);
          return new Line(Bytes.of(out.toByteArray()));
        });
  }

  /// Keeps an element of one window.
  ///
  /// @param key of the element; null if it has none
  void add(@Nullable Bytes key, WindowedValue<Object> element) {
    Line line = line(element.getWindows().iterator().next());
    BytesWriter out = new BytesWriter(64);
    out.writeByte(key == null ? 0 : 1);
    if (key != null) {
      Frames.write(key, out);
    }
    Coding.write(elements, element, out);
    store.put(line.at(line.next++), Bytes.of(out.toByteArray()));
    line.earliest = Math.min(line.earliest, element.getTimestamp().getMillis());
  }

  private Ready read(Bytes value) {
    boolean hasKey = value.get(0) != 0;
    Frames.Reader frames =
        new Frames.Reader(new Bytes().set(value.array(), value.offset() + 1, value.length() - 1));
    Bytes key = hasKey ? frames.frame().copy() : null;
    BytesInput in = new BytesInput(value, 1 + frames.position());
    return new Ready(value, key, Coding.read(elements, in));
  }

  /// Takes elements whose windows are ready, at most about as many as there is budget.
  ///
  /// @param into is given each, with its key
  /// @return whether none is left whose window is ready
  boolean take(Predicate<BoundedWindow> ready, int budget, AwaitedViews.Processing into) {
    int left = budget;
    for (Map.Entry<BoundedWindow, Line> line : List.copyOf(lines.entrySet())) {
      if (!ready.test(line.getKey())) {
        continue;
      }
      List<Ready> taken = first(line.getValue(), left);
      left -= taken.size();
      if (left > 0) {
        lines.remove(line.getKey());
      }
      for (Ready each : taken) {
        store.delete(each.place);
        into.process(each.element, each.key);
      }
      if (left == 0) {
        return false;
      }
    }
    return true;
  }

  private List<Ready> first(Line line, int most) {
    List<Ready> first = new ArrayList<>();
    store.range(
        line.at(0),
        line.at(Long.MAX_VALUE),
        (place, value) -> {
          Ready read = read(value);
          first.add(new Ready(place.copy(), read.key, read.element));
          return first.size() < most;
        });
    return first;
  }

  /// Returns the earliest timestamp of an element that waits, in milliseconds since 1970;
  /// `Long.MAX_VALUE` if none does.
  long hold() {
    long least = Long.MAX_VALUE;
    for (Line each : lines.values()) {
      least = Math.min(least, each.earliest);
    }
    return least;
  }
}

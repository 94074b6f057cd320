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

/// Elements that wait for the views of their windows: by window, in the order in which they came.
/// Of each window there is a line in memory. The last elements of a line are gathered there, and
/// put into the store as one value when they are many, or with [#store].
final class WaitingElements {
  /// So many bytes of a line are one value.
  private static final int PIECE_BYTES = 16 << 10;

  /// So many bytes of all lines are gathered.
  private static final int GATHERED_BYTES = 1 << 20;

  private final KeyValueStore<Bytes, Bytes> store;
  private final Coder<WindowedValue<Object>> elements;
  private final Coder<BoundedWindow> windowCoder;
  private final Map<BoundedWindow, Line> lines = new LinkedHashMap<>();
  private final BytesWriter coded = new BytesWriter(256);

  /// How many bytes all lines have gathered.
  private int gathered;

  /// The elements of a window.
  private static final class Line {
    private final Bytes place;
    private BytesWriter last = new BytesWriter(64);
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
  private record Ready(@Nullable Bytes key, WindowedValue<Object> element) {}

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
          for (Ready each : read(value)) {
            Line line = line(each.element.getWindows().iterator().next());
            line.next = number(place) + 1;
            line.earliest = Math.min(line.earliest, each.element.getTimestamp().getMillis());
          }
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
    coded.clear();
    coded.writeByte(key == null ? 0 : 1);
    if (key != null) {
      Frames.write(key, coded);
    }
    Coding.write(elements, element, coded);
    int bytes = Integer.BYTES + coded.length();
    if (line.last.length() + bytes > PIECE_BYTES) {
      store(line);
    }
    Frames.write(coded.view(new Bytes(), 0), line.last);
    line.earliest = Math.min(line.earliest, element.getTimestamp().getMillis());
    gathered += bytes;
    if (gathered > GATHERED_BYTES) {
      store();
    }
  }

  /// Puts into the store what was gathered.
  void store() {
    if (gathered > 0) {
      lines.values().forEach(this::store);
    }
  }

  private void store(Line line) {
    if (line.last.length() > 0) {
      store.put(line.at(line.next++), line.last.view(new Bytes(), 0));
      gathered -= line.last.length();
      line.last = new BytesWriter(64); // there may be many lines that wait for long
    }
  }

  private List<Ready> read(Bytes piece) {
    List<Ready> read = new ArrayList<>();
    Frames.Reader in = new Frames.Reader(piece);
    while (!in.atEnd()) {
      Bytes one = in.frame();
      boolean hasKey = one.get(0) != 0;
      Frames.Reader rest =
          new Frames.Reader(new Bytes().set(one.array(), one.offset() + 1, one.length() - 1));
      Bytes key = hasKey ? rest.frame().copy() : null;
      read.add(new Ready(key, Coding.read(elements, new BytesInput(one, 1 + rest.position()))));
    }
    return read;
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
      store(line.getValue());
      List<Ready> taken = takeFirst(line.getValue(), left);
      left -= taken.size();
      if (left > 0) {
        lines.remove(line.getKey());
      }
      for (Ready each : taken) {
        into.process(each.element, each.key);
      }
      if (left <= 0) {
        return false;
      }
    }
    return true;
  }

  private List<Ready> takeFirst(Line line, int most) {
    List<Ready> first = new ArrayList<>();
    List<Bytes> places = new ArrayList<>();
    store.range(
        line.at(0),
        line.at(Long.MAX_VALUE),
        (place, piece) -> {
          first.addAll(read(piece));
          places.add(place.copy());
          return first.size() < most;
        });
    places.forEach(store::delete);
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

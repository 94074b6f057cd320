package dev.millrace.sketches;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Aggregate;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/// What an engine does with aggregates.
final class Sketching {
  private Sketching() {}

  static <A, V> A fold(Aggregate<A, V> aggregate, List<V> values) {
    A folded = aggregate.initializer().get();
    for (V value : values) {
      folded = aggregate.aggregator().aggregate(folded, value);
    }
    return folded;
  }

  /// Writes and reads at moments that are drawn.
  static <A, V> A foldWriting(
      Aggregate<A, V> aggregate, List<V> values, Serde<A> serde, Random random) {
    int every = 1 + random.nextInt(values.size() + 1);
    A folded = aggregate.initializer().get();
    for (V value : values) {
      folded = aggregate.aggregator().aggregate(folded, value);
      if (random.nextInt(every) == 0) {
        folded = copy(folded, serde);
      }
    }
    return folded;
  }

  static <V> List<List<V>> parts(List<V> values, Random random) {
    List<List<V>> parts = new ArrayList<>();
    int at = 0;
    while (at < values.size()) {
      int end = Math.min(values.size(), at + 1 + random.nextInt(values.size()));
      parts.add(values.subList(at, end));
      at = end;
    }
    return parts;
  }

  /// Joins aggregates two and two, whichever are drawn.
  static <A> A join(Aggregate<A, ?> aggregate, List<A> parts, Serde<A> serde, Random random) {
    Reducer<A> merger = aggregate.merger();
    List<A> left = new ArrayList<>(parts);
    while (left.size() > 1) {
      A one = left.remove(random.nextInt(left.size()));
      A other = left.remove(random.nextInt(left.size()));
      A joined = merger.reduce(one, other);
      left.add(random.nextBoolean() ? joined : copy(joined, serde));
    }
    return left.getFirst();
  }

  static <A> byte[] bytes(A value, Serde<A> serde) {
    BytesWriter writer = new BytesWriter();
    serde.write(value, writer);
    return writer.toByteArray();
  }

  /// Bytes of an earlier version.
  static byte[] golden(String name) throws IOException {
    try (InputStream in = Sketching.class.getResourceAsStream("/golden/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  static <A> A copy(A value, Serde<A> serde) {
    byte[] bytes = bytes(value, serde);
    byte[] within = new byte[bytes.length + 7];
    System.arraycopy(bytes, 0, within, 3, bytes.length);
    return serde.read(new Bytes().set(within, 3, bytes.length));
  }

  /// Bytes that were cut or changed are refused, or are those of another value.
  static <A> void assertHarmless(A value, Serde<A> serde) {
    byte[] bytes = bytes(value, serde);
    Random random = new Random(bytes.length);
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] changed = bytes.clone();
      int length = changed.length;
      if (i % 3 == 0) {
        length = random.nextInt(length);
      } else {
        changed[random.nextInt(Math.min(length, i % 3 == 1 ? 40 : length))] ^=
            (byte) (1 << random.nextInt(8));
      }
      try {
        serde.read(new Bytes().set(changed, 0, length));
      } catch (SerdeException e) {
        refused++;
      }
    }
    assertTrue(refused > 600, refused + " of 2000");
  }

  /// Promises nothing.
  static final class NotCanonical implements Serde<Long> {
    @Override
    public String id() {
      return "not-canonical";
    }

    @Override
    public void write(Long value, BytesWriter out) {
      Serdes.longs().write(value, out);
    }

    @Override
    public Long read(Bytes in) {
      return Serdes.longs().read(in);
    }
  }
}

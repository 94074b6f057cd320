package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.millrace.api.serde.Samples.Boxes;
import dev.millrace.api.serde.Samples.Key;
import dev.millrace.api.serde.Samples.Node;
import dev.millrace.api.serde.Samples.Order;
import dev.millrace.api.serde.Samples.Primitives;
import dev.millrace.api.serde.Samples.Shape;
import dev.millrace.api.serde.Samples.Simple;
import dev.millrace.api.serde.Samples.Source;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Damaged bytes are either read as some value, which can then be written, or refused with a
/// [SerdeException]; nothing else may happen, whatever the bytes are.
class MalformedInputTest {
  private static final long SEED = 4_711;
  private static final int INPUTS = 200_000;
  private static final int SAMPLES = 1_000;

  private record Kind<T>(Serde<T> serde, Function<Source, T> make) {
    byte[] sample(Source source) {
      return Samples.bytes(serde, make.apply(source));
    }

    /// Returns whether the bytes were read.
    boolean survives(byte[] bytes) {
      T value;
      try {
        value = Samples.value(serde, bytes);
      } catch (SerdeException e) {
        return false;
      }
      Samples.bytes(serde, value);
      return true;
    }
  }

  private static List<Kind<?>> kinds() {
    return List.of(
        new Kind<>(Serdes.record(Primitives.class), Source::primitives),
        new Kind<>(Serdes.record(Boxes.class), Source::boxes),
        new Kind<>(Serdes.record(Simple.class), Source::simple),
        new Kind<>(Serdes.record(Order.class), Source::order),
        new Kind<>(Serdes.record(Node.class), s -> s.node(4)),
        new Kind<>(Serdes.forType(new TypeRef<Shape>() {}), s -> s.shape(3)),
        new Kind<>(Serdes.orderedRecord(Key.class), Source::key),
        new Kind<>(
            Serdes.mapOf(Serdes.instant(), Serdes.setOf(Serdes.bigInteger())),
            s -> Map.of(s.anInstant(), Set.of(s.aBigInteger()))),
        new Kind<>(Serdes.forType(new TypeRef<double[]>() {}), s -> new double[] {s.aDouble(), 1}),
        new Kind<>(Serdes.bigDecimal(), Source::aBigDecimal),
        new Kind<>(Serdes.duration(), Source::aDuration));
  }

  @Test
  void damagedBytesAreReadOrRefusedButNeverBreakAnything() {
    List<Kind<?>> kinds = kinds();
    Source source = new Source(SEED);
    byte[][] samples = new byte[SAMPLES * kinds.size()][];
    Arrays.setAll(samples, i -> kinds.get(i % kinds.size()).sample(source));
    int read = 0;
    for (int i = 0; i < INPUTS; i++) {
      int sample = source.random.nextInt(samples.length);
      Kind<?> kind = kinds.get(sample % kinds.size());
      byte[] bytes = damaged(samples[sample], source.random);
      try {
        if (kind.survives(bytes)) {
          read++;
        }
      } catch (RuntimeException | Error e) {
        String hex = HexFormat.of().formatHex(bytes);
        fail(kind.serde.id() + ", seed " + SEED + ", input " + i + ": " + hex, e);
      }
    }
    int share = 100 * read / INPUTS;
    assertTrue(share > 5 && share < 95, "some are read and some refused: " + share + "%");
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] result = bytes;
    for (int i = random.nextInt(3); i >= 0; i--) {
      result = damagedOnce(result, random);
    }
    return result;
  }

  private static byte[] damagedOnce(byte[] bytes, Random random) {
    byte[] result = bytes.clone();
    if (bytes.length == 0) {
      return new byte[random.nextInt(20)];
    }
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(7)) {
      case 0 -> result = Arrays.copyOf(bytes, at);
      case 1 -> result = Arrays.copyOf(bytes, bytes.length + random.nextInt(1, 9));
      case 2 -> result[at] = (byte) random.nextInt();
      case 3 -> Arrays.fill(result, at, Math.min(bytes.length, at + 9), (byte) 0xFF);
      case 4 -> Arrays.fill(result, at, Math.min(bytes.length, at + 4), (byte) 0);
      case 5 -> System.arraycopy(bytes, 0, result, at, bytes.length - at);
      default -> result[at] ^= (byte) (1 << random.nextInt(8));
    }
    return result;
  }

  @Test
  void aLengthThatIsNotThereTakesNoMemory() {
    // With 512 MB of heap, arrays of the sizes said here would end the test.
    record Texts(List<String> texts) {}
    byte[] table = Samples.bytes(Serdes.record(Texts.class), new Texts(null));
    for (int i = 0; i < 1_000; i++) {
      BytesWriter out = new BytesWriter();
      out.write(table, 0, table.length - 1);
      out.writeByte(1);
      int mark = out.beginLength();
      out.writeByte(TypeCode.STRING.number);
      out.writeVarInt(Integer.MAX_VALUE - i);
      out.write(new byte[20]);
      out.endLength(mark);
      Kind<Texts> kind = new Kind<>(Serdes.record(Texts.class), s -> new Texts(null));
      assertTrue(!kind.survives(out.toByteArray()));
    }
  }
}

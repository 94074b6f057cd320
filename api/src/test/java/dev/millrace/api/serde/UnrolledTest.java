package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// The code made for a record class, where it has more components than a byte of the bitmap bits.
class UnrolledTest {
  private static final int COUNT = 17;
  private static final int TABLE = 1 + 3 * COUNT;
  private static final int BITMAP = 1 + TABLE;
  private static final int BODIES = BITMAP + 3;

  record Seventeen(
      int a,
      String b,
      int c,
      String d,
      int e,
      String f,
      int g,
      String h,
      int i,
      String j,
      int k,
      String l,
      int m,
      String n,
      int o,
      String p,
      int q) {}

  private static final Serde<Seventeen> SERDE = Serdes.record(Seventeen.class);

  /// One with the components of a set, each of its own value.
  private static Seventeen with(int set) throws ReflectiveOperationException {
    Object[] values = new Object[COUNT];
    for (int i = 0; i < COUNT; i++) {
      boolean there = (set & 1 << i) != 0;
      values[i] = i % 2 == 0 ? (Object) (there ? i + 1 : 0) : there ? "" + (char) ('a' + i) : null;
    }
    Constructor<?> constructor = Seventeen.class.getDeclaredConstructors()[0];
    return (Seventeen) constructor.newInstance(values);
  }

  /// What stands behind the table, after `docs/serdes.md`.
  private static byte[] expected(int set) {
    BytesWriter out = new BytesWriter();
    out.write(new byte[] {(byte) set, (byte) (set >> 8), (byte) (set >> 16)});
    for (int i = 0; i < COUNT; i++) {
      if ((set & 1 << i) != 0) {
        if (i % 2 == 0) {
          out.writeByte(2 * (i + 1));
        } else {
          out.writeByte(1);
          out.writeByte('a' + i);
        }
      }
    }
    return out.toByteArray();
  }

  @Test
  void eachComponentHasItsBitAndItsBody() throws ReflectiveOperationException {
    for (int round = 0; round < 2_000; round++) {
      int set = round < COUNT ? 1 << round : round * 0x9E3779B1 >>> 32 - COUNT;
      Seventeen value = with(set);
      byte[] bytes = Samples.bytes(SERDE, value);
      byte[] behind = Arrays.copyOfRange(bytes, BITMAP, bytes.length);
      assertArrayEquals(expected(set), behind, () -> "components " + Integer.toBinaryString(set));
      assertEquals(value, Samples.value(SERDE, bytes));
    }
  }

  @Test
  void whatIsWrongIsNamedWithItsComponent() throws ReflectiveOperationException {
    byte[] bytes = Samples.bytes(SERDE, with(1 << 10));
    bytes[BODIES] = 0; // a zero, which is not written
    String message =
        String.valueOf(
            assertThrows(SerdeException.class, () -> Samples.value(SERDE, bytes)).getMessage());
    assertTrue(message.startsWith("Seventeen.k: "), message);
  }
}

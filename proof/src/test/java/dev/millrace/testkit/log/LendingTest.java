package dev.millrace.testkit.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.Lending;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Who keeps what was lent to him is found out, as tests run with assertions.
class LendingTest {
  private static final Bytes OVER = Bytes.of(new byte[] {(byte) 0xDB, (byte) 0xDB, (byte) 0xDB});

  private final Lending lending = Lending.begin();

  /// A serde that keeps its input inside what it returns, which none may.
  private static final class Keeping implements Serde<Bytes[]> {
    @Override
    public String id() {
      return "keeping";
    }

    @Override
    public void write(Bytes[] value, BytesWriter out) {
      out.write(value[0]);
    }

    @Override
    public Bytes[] read(Bytes in) {
      return new Bytes[] {Serdes.view().read(in)};
    }
  }

  @Test
  void aViewIsValidUntilItsTimeIsOver() {
    byte[] batch = "onetwo".getBytes(StandardCharsets.UTF_8);
    Bytes one = lending.read(Serdes.view(), new Bytes().set(batch, 0, 3));
    Bytes two = lending.read(Serdes.view(), new Bytes().set(batch, 3, 3));
    assertEquals("one", one.toUtf8());
    assertEquals("two", two.toUtf8());
    lending.end();
    assertEquals(OVER, one);
    assertEquals(OVER, two);
    assertEquals("onetwo", Bytes.of(batch).toUtf8());
    Bytes next = lending.read(Serdes.view(), new Bytes().set(batch, 0, 3));
    assertEquals("one", next.toUtf8());
    assertEquals(OVER, one);
  }

  @Test
  void aViewInsideAnotherObjectIsOverAtOnce() {
    assertEquals(OVER, lending.read(new Keeping(), Bytes.ofUtf8("one"))[0]);
  }

  @Test
  void whatOwnsItsBytesStays() {
    byte[] one = lending.read(Serdes.bytes(), Bytes.ofUtf8("one"));
    lending.end();
    assertArrayEquals(new byte[] {'o', 'n', 'e'}, one);
  }
}

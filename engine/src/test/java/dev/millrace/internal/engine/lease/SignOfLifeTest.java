package dev.millrace.internal.engine.lease;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.settings.Placement;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SignOfLifeTest {
  private static final String FORMAT_1 =
      "01" // format
          + "00000001" // container
          + "00" // released
          + "0000000000000007" // number
          + "00000003" // containers
          + "00000002" // workers
          + "00000004" // placement
          + "33783264"
          + "0000000000000008" // pid
          + "0000000000000009" // since
          + "00000001" // host
          + "68"
          + "00000002" // home
          + "c3a4"
          + "00000003" // http
          + "683a31"
          + "00000002" // inputs
          + "6162";

  private static final byte[] KEY = {0, 0, 0, 1};

  private static final SignOfLife SIGN =
      new SignOfLife(1, 3, 2, "3x2d", new Holder("h", 8, 9, "ä", "h:1"), 7, false, "ab");

  @Test
  void itIsWrittenInTheFormatOfItsVersion() {
    BytesWriter out = new BytesWriter();
    SIGN.write(out);
    assertEquals(FORMAT_1, HexFormat.of().formatHex(out.toByteArray()));
    assertArrayEquals(KEY, SIGN.key());
    assertEquals(SIGN, SignOfLife.read(KEY, out.toByteArray()));
    assertEquals(
        new SignOfLife(1, 3, 2, "3x2", new Holder("h", 8, 9, "ä", "h:1"), 7, true, "ab"),
        SignOfLife.of(
            new Placement(1, 3, 2, Placement.Groups.OF_WORKERS),
            "ab",
            new Holder("h", 8, 9, "ä", "h:1"),
            7,
            true));
  }

  @Test
  void whatALaterVersionAddsIsPassedOver() {
    byte[] later = HexFormat.of().parseHex(FORMAT_1 + "00000001" + "ff" + "0102");
    assertEquals(SIGN, SignOfLife.read(KEY, later));
  }

  @Test
  void whatIsCutOffOrOfAnotherFormatOrOfAnotherKeyIsNone() {
    byte[] whole = HexFormat.of().parseHex(FORMAT_1);
    for (int length = 0; length < whole.length; length++) {
      assertNull(SignOfLife.read(KEY, Arrays.copyOf(whole, length)));
    }
    assertNull(SignOfLife.read(new byte[] {0, 0, 0, 2}, whole));
    assertNull(SignOfLife.read(null, whole));
    assertNull(SignOfLife.read(KEY, null));
    byte[] other = whole.clone();
    other[0] = 2;
    assertNull(SignOfLife.read(KEY, other));
  }
}

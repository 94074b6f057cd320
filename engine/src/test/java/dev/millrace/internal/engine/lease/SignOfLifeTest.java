package dev.millrace.internal.engine.lease;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.settings.Placement;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
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

  private static final String PLAN = "00000002" + "6364";

  private static final byte[] KEY = {0, 0, 0, 1};

  private static final SignOfLife SIGN =
      new SignOfLife(1, 3, 2, "3x2d", new Holder("h", 8, 9, "ä", "h:1"), 7, false, "ab", "cd");

  @Test
  void itIsWrittenInTheFormatOfItsVersion() {
    BytesWriter out = new BytesWriter();
    SIGN.write(out);
    assertEquals(FORMAT_1 + PLAN, HexFormat.of().formatHex(out.toByteArray()));
    assertArrayEquals(KEY, SIGN.key());
    assertEquals(SIGN, SignOfLife.read(KEY, out.toByteArray()));
    assertEquals(
        new SignOfLife(1, 3, 2, "3x2", new Holder("h", 8, 9, "ä", "h:1"), 7, true, "ab", "cd"),
        SignOfLife.of(
            new Placement(1, 3, 2, Placement.Groups.OF_WORKERS),
            new ProgramVersion("cd", "ab", Set.of()),
            new Holder("h", 8, 9, "ä", "h:1"),
            7,
            true));
  }

  @Test
  void whatALaterVersionAddsIsPassedOver() {
    byte[] later = HexFormat.of().parseHex(FORMAT_1 + PLAN + "00000001" + "ff" + "0102");
    assertEquals(SIGN, SignOfLife.read(KEY, later));
  }

  @Test
  void anEarlierVersionDidNotSayItsPlan() {
    assertEquals(
        new SignOfLife(1, 3, 2, "3x2d", new Holder("h", 8, 9, "ä", "h:1"), 7, false, "ab", ""),
        SignOfLife.read(KEY, HexFormat.of().parseHex(FORMAT_1)));
  }

  @Test
  void itsProcessRunsBesideThoseThatReadTheSameOrReplaceIt() {
    Placement placement = new Placement(1, 3, 2, Placement.Groups.OF_WORKERS);
    Placement another = new Placement(0, 3, 1, Placement.Groups.OF_WORKERS);
    SignOfLife sign =
        SignOfLife.of(
            placement, new ProgramVersion("cd", "ab", Set.of("yz")), SIGN.holder(), 7, false);
    ProgramVersion alike = new ProgramVersion("x", "ab", Set.of());
    ProgramVersion replacing = new ProgramVersion("x", "yz", Set.of("ab"));
    assertTrue(sign.fits(placement, alike));
    assertTrue(sign.isAlike(placement, alike));
    assertTrue(sign.fits(placement, replacing));
    assertFalse(sign.isAlike(placement, replacing));
    assertFalse(sign.fits(placement, new ProgramVersion("cd", "yz", Set.of("abc"))));
    assertFalse(sign.fits(another, replacing));
    assertFalse(sign.isAlike(another, alike));
  }

  @Test
  void whatIsCutOffOrOfAnotherFormatOrOfAnotherKeyIsNone() {
    byte[] whole = HexFormat.of().parseHex(FORMAT_1 + PLAN);
    for (int length = 0; length < whole.length; length++) {
      SignOfLife read = SignOfLife.read(KEY, Arrays.copyOf(whole, length));
      assertEquals(length == FORMAT_1.length() / 2, read != null, () -> "read " + read);
    }
    assertNull(SignOfLife.read(new byte[] {0, 0, 0, 2}, whole));
    assertNull(SignOfLife.read(null, whole));
    assertNull(SignOfLife.read(KEY, null));
    byte[] other = whole.clone();
    other[0] = 2;
    assertNull(SignOfLife.read(KEY, other));
  }
}

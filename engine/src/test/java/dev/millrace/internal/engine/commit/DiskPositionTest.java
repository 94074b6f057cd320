package dev.millrace.internal.engine.commit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DiskPositionTest {
  /// As disks had it that did not say whose they were.
  private static final String FORMAT_1 =
      "01"
          + "00000002"
          + "6331"
          + "00000002"
          + "7431"
          + "0000000000000007"
          + "0000000000000008"
          + "00000001"
          + "09";

  private static final String FORMAT_2 =
      "02"
          + "00000002"
          + "6331"
          + "00000002"
          + "7431"
          + "00000003"
          + "302d33"
          + "0000000000000007"
          + "0000000000000008"
          + "00000001"
          + "09";

  @Test
  void itIsWrittenInTheFormatOfItsVersion() {
    DiskPosition position = new DiskPosition("c1", "t1", "0-3", 7, 8, new byte[] {9});
    assertEquals(FORMAT_2, HexFormat.of().formatHex(position.toBytes()));
    assertEquals("0-3", DiskPosition.read(position.toBytes()).task());
  }

  @Test
  void oneWithoutATaskIsRead() {
    DiskPosition read = DiskPosition.read(HexFormat.of().parseHex(FORMAT_1));
    assertEquals("", read.task());
    assertEquals("c1", read.clusterId());
    assertEquals("t1", read.topicId());
    assertEquals(7, read.offset());
    assertEquals(8, read.writtenMillis());
    assertArrayEquals(new byte[] {9}, read.commitRecord());
  }

  @Test
  void whatIsCutOffIsRefused() {
    byte[] whole = HexFormat.of().parseHex(FORMAT_2);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThrows(IllegalArgumentException.class, () -> DiskPosition.read(cut));
    }
  }
}

package dev.millrace.internal.state.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.spi.BlobException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/// The bytes of a manifest, as they are written for ever.
class SnapshotManifestTest {
  private static final String HASH =
      "00112233445566778899aabbccddeeffffeeddccbbaa99887766554433221100";

  /// As the first version of the format wrote it: magic and version; `app`, `topic-1`, `1-3`;
  /// offset; position; one file; checksum.
  private static final String GOLDEN =
      "4d534e500001"
          + "00000003617070"
          + "00000007746f7069632d31"
          + "00000003312d33"
          + "000000000000002a"
          + "00000003010203"
          + "00000001"
          + "0000000a3030303030312e737374"
          + "0000000000000400"
          + HASH;

  private static final SnapshotManifest MANIFEST =
      new SnapshotManifest(
          new SnapshotOwner("app", "topic-1", "1-3"),
          42,
          new byte[] {1, 2, 3},
          List.of(new SnapshotManifest.FileEntry("000001.sst", 1024, HASH)));

  private static byte[] golden() {
    return withChecksum(HexFormat.of().parseHex(GOLDEN));
  }

  private static byte[] withChecksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return ByteBuffer.allocate(bytes.length + 4).put(bytes).putInt((int) crc.getValue()).array();
  }

  private static void assertCorrupt(byte[] bytes, String about) {
    BlobException failure =
        assertThrows(BlobException.class, () -> SnapshotManifest.decode(bytes, "blob"), about);
    assertEquals(BlobException.Kind.CORRUPT, failure.kind(), about);
  }

  @Test
  void theGoldenManifestIsRead() {
    SnapshotManifest read = SnapshotManifest.decode(golden(), "blob");
    assertEquals(MANIFEST.owner(), read.owner());
    assertEquals(MANIFEST.offset(), read.offset());
    assertArrayEquals(MANIFEST.position(), read.position());
    assertEquals(MANIFEST.files(), read.files());
    assertEquals(1024, read.sizeBytes());
  }

  @Test
  void whatIsWrittenIsTheGoldenManifest() {
    assertEquals(HexFormat.of().formatHex(golden()), HexFormat.of().formatHex(MANIFEST.encode()));
  }

  @Test
  void everyFlippedBitAndEveryCutIsNoticed() {
    byte[] golden = golden();
    for (int bit = 0; bit < 8 * golden.length; bit++) {
      byte[] flipped = golden.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertCorrupt(flipped, "bit " + bit);
    }
    for (int length = 0; length < golden.length; length++) {
      assertCorrupt(Arrays.copyOf(golden, length), length + " bytes");
    }
  }

  @Test
  void anotherVersionIsNotRead() {
    byte[] other = HexFormat.of().parseHex(GOLDEN);
    ByteBuffer.wrap(other).putShort(4, (short) 2);
    assertCorrupt(withChecksum(other), "version 2");
  }

  @Test
  void aNameThatWouldLeaveTheDirectoryIsNotRead() {
    for (String name : List.of("../../.sst", ".00001.sst", "/00001.sst", "00000 .sst")) {
      byte[] wrong = HexFormat.of().parseHex(GOLDEN);
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      System.arraycopy(bytes, 0, wrong, GOLDEN.indexOf("3030303030312e737374") / 2, 10);
      assertCorrupt(withChecksum(wrong), name);
    }
  }
}

package dev.millrace.internal.engine.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.internal.engine.time.ControlRecord;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The records and positions that begin with the number of their format, as bytes: **where they
/// change, the number has to change with them**, or an old one would be read as what it is not.
class VersionedFormatsTest {
  private static final HexFormat HEX = HexFormat.of();

  private static final CommitRecord COMMIT =
      new CommitRecord(
          0x0102030405060708L,
          "2x3",
          9,
          new WriterId("id", 10, 11),
          12,
          -13,
          true,
          List.of(
              new CommitRecord.Input(
                  new Split("in", 1),
                  new Position(14, new byte[] {7, -1}),
                  -1,
                  15,
                  true,
                  false,
                  List.of()),
              new CommitRecord.Input(
                  new Split("x", 2),
                  Position.of(16),
                  17,
                  Long.MIN_VALUE,
                  false,
                  true,
                  List.of(
                      new CommitRecord.Upstream(18, false), new CommitRecord.Upstream(-1, true)))),
          19);

  /// Format; plan, placement, number; writer's id, number and epoch; watermark, what was announced
  /// and whether as idle; time; inputs.
  private static final String COMMIT_1 =
      "01"
          + "0102030405060708"
          + "00000003"
          + "327833"
          + "0000000000000009"
          + "00000002"
          + "6964"
          + "000000000000000a"
          + "0000000b"
          + "000000000000000c"
          + "fffffffffffffff3"
          + "01"
          + "0000000000000013"
          + "00000002"
          // Stream, partition, offset, detail, end, largest time, flags, upstream tasks.
          + "00000002"
          + "696e"
          + "00000001"
          + "000000000000000e"
          + "00000002"
          + "07ff"
          + "ffffffffffffffff"
          + "000000000000000f"
          + "01"
          + "00000000"
          + "00000001"
          + "78"
          + "00000002"
          + "0000000000000010"
          + "00000000"
          + "0000000000000011"
          + "8000000000000000"
          + "02"
          + "00000002"
          + "0000000000000012"
          + "00"
          + "ffffffffffffffff"
          + "01";

  /// What comes behind that of a task that was split: how many bits of keys' hashes count, and what
  /// they are; the parts that were split off; whether state stands elsewhere.
  private static final String COMMIT_2 =
      "02" + COMMIT_1.substring(2) + "00000002" + "00000003" + "00000001" + "00000009" + "01";

  private static final CommitRecord COMMIT_OF_A_PART =
      new CommitRecord(
          COMMIT.planVersion(),
          COMMIT.ownership(),
          COMMIT.number(),
          COMMIT.writer(),
          COMMIT.watermark(),
          COMMIT.announced(),
          COMMIT.announcedIdle(),
          COMMIT.inputs(),
          COMMIT.writtenMillis(),
          new KeyShare(2, 3),
          List.of(9),
          true);

  private static final ControlRecord CONTROL =
      new ControlRecord(0x0102030405060708L, 9, 10, -11, true);

  /// Format; plan; the sender's partition among how many; watermark; whether it is idle.
  private static final String CONTROL_1 =
      "01" + "0102030405060708" + "00000009" + "0000000a" + "fffffffffffffff5" + "01";

  private static final DiskPosition DISK =
      new DiskPosition("c1", "t1", "0-3", 7, 8, new byte[] {9});

  /// Format; cluster, topic, task; offset; time; commit record.
  private static final String DISK_2 =
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

  private record Format(
      String name, int number, String golden, byte[] written, Consumer<byte[]> reader) {
    byte[] bytes() {
      return HEX.parseHex(golden);
    }
  }

  private static final List<Format> FORMATS =
      List.of(
          new Format(
              "commit record",
              1,
              COMMIT_1,
              COMMIT.toBytes(),
              in -> CommitRecord.read(Bytes.of(in))),
          new Format(
              "commit record of a part",
              2,
              COMMIT_2,
              COMMIT_OF_A_PART.toBytes(),
              in -> CommitRecord.read(Bytes.of(in))),
          new Format(
              "control record", 1, CONTROL_1, control(), in -> ControlRecord.read(Bytes.of(in))),
          new Format("position of a disk", 2, DISK_2, DISK.toBytes(), DiskPosition::read));

  private static byte[] control() {
    BytesWriter out = new BytesWriter();
    CONTROL.write(out);
    return out.toByteArray();
  }

  @Test
  void eachIsWrittenInTheFormatOfItsNumber() {
    for (Format format : FORMATS) {
      assertEquals(format.golden, HEX.formatHex(format.written), format.name);
      assertEquals(format.number, format.bytes()[0], format.name);
    }
  }

  @Test
  void eachIsRead() {
    assertEquals(
        COMMIT_1, HEX.formatHex(CommitRecord.read(Bytes.of(HEX.parseHex(COMMIT_1))).toBytes()));
    assertEquals(CONTROL, ControlRecord.read(Bytes.of(HEX.parseHex(CONTROL_1))));
    assertEquals(DISK_2, HEX.formatHex(DiskPosition.read(HEX.parseHex(DISK_2)).toBytes()));
    assertEquals(
        COMMIT_2, HEX.formatHex(CommitRecord.read(Bytes.of(HEX.parseHex(COMMIT_2))).toBytes()));
    CommitRecord read = CommitRecord.read(Bytes.of(HEX.parseHex(COMMIT_1)));
    assertEquals("2x3", read.ownership());
    assertEquals(new WriterId("id", 10, 11), read.writer());
    assertEquals(-13, read.announced());
    assertEquals(19, read.writtenMillis());
    assertEquals(COMMIT.inputs().getLast(), read.inputs().getLast());
  }

  @Test
  void otherNumbersAndWhatIsCutOffAreRefused() {
    for (Format format : FORMATS) {
      byte[] other = format.bytes();
      other[0] = (byte) (format.number + 1);
      assertThrows(IllegalArgumentException.class, () -> format.reader.accept(other), format.name);
      for (int length = 0; length < other.length; length++) {
        byte[] cut = Arrays.copyOf(format.bytes(), length);
        assertThrows(
            IllegalArgumentException.class,
            () -> format.reader.accept(cut),
            format.name + " cut to " + length);
      }
    }
  }

  /// Store 0, which no store has.
  @Test
  void theCommitRecordHasItsKey() {
    assertEquals("0000", HEX.formatHex(CommitRecord.KEY.toByteArray()));
  }
}

package dev.millrace.internal.kafka.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.BatchPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What [BatchDecoderFuzzTest] found, one by one.
class CorruptAnswerTest {
  private static final long TIME = 1_700_000_000_000L;
  private static final int PRODUCER = 4;
  private final BatchPool pool = new BatchPool();

  private OurRead read(long next, byte[]... batches) {
    return read(List.of(), next, batches);
  }

  private OurRead read(List<AbortedTransaction> aborted, long next, byte[]... batches) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] batch : batches) {
      all.writeBytes(batch);
    }
    return new OurRead(new FetchedBytes(all.toByteArray(), aborted, next), pool);
  }

  private static byte[] batch(long offset, String... values) {
    SimpleRecord[] records =
        Arrays.stream(values)
            .map(value -> new SimpleRecord(TIME, null, value.getBytes(UTF_8)))
            .toArray(SimpleRecord[]::new);
    return bytes(MemoryRecords.withRecords(offset, Compression.NONE, 1, records));
  }

  private static byte[] bytes(MemoryRecords records) {
    byte[] bytes = new byte[records.sizeInBytes()];
    records.buffer().duplicate().get(bytes);
    return bytes;
  }

  private static byte[] transaction(long offset) {
    return bytes(
        MemoryRecords.withTransactionalRecords(
            offset,
            Compression.NONE,
            PRODUCER,
            (short) 0,
            0,
            1,
            new SimpleRecord(TIME, null, "value".getBytes(UTF_8))));
  }

  private static byte[] abort(long offset) {
    return bytes(
        MemoryRecords.withEndTransactionMarker(
            offset,
            TIME,
            1,
            PRODUCER,
            (short) 0,
            new EndTransactionMarker(ControlRecordType.ABORT, 0)));
  }

  private static byte[] repaired(byte[] batch) {
    CRC32C crc = new CRC32C();
    crc.update(batch, BatchLayout.ATTRIBUTES, batch.length - BatchLayout.ATTRIBUTES);
    BatchLayout.putInt(batch, BatchLayout.CRC, (int) crc.getValue());
    return batch;
  }

  private static byte[] with(byte[] batch, int at, int value) {
    batch[at] = (byte) value;
    return repaired(batch);
  }

  private static void assertRefused(OurRead read, int recordsBefore, String why) {
    assertTrue(read.failure.getMessage().contains("fuzzed-3"), read.failure::getMessage);
    assertTrue(read.failure.getMessage().contains(why), read.failure::getMessage);
    assertEquals(recordsBefore, read.records.size());
  }

  /// It was asked for again, and again, without a pause.
  @Test
  void anAnswerWithoutOneWholeBatchIsNoAnswer() {
    byte[] cut = Arrays.copyOf(batch(5, "a"), 66);
    assertRefused(read(5, cut), 0, "66 bytes of fuzzed-3 at offset 5 hold no batch");
    assertRefused(read(5, Arrays.copyOf(cut, 9)), 0, "9 bytes");
    assertNull(read(3, batch(3, "a", "b"), cut).failure);
  }

  /// It was passed over: records were lost.
  @Test
  void aBatchThatLiesBelowTheOneBeforeIsRefused() {
    assertRefused(read(10, batch(10, "a", "b"), batch(4, "c")), 2, "at offset 4 ends at 4");
    assertRefused(read(10, batch(10, "a", "b"), batch(11, "c", "d")), 2, "at offset 11");
    assertRefused(read(10, batch(4, "a")), 0, "begins at 10");
  }

  /// Nothing moved on, and nothing was said.
  @Test
  void offsetsEndBeforeTheLargestNumber() {
    assertRefused(read(10, batch(10, "a"), batch(Long.MAX_VALUE, "b")), 1, "claims offsets");
    assertRefused(read(10, batch(10, "a"), batch(Long.MAX_VALUE - 1, "b", "c")), 1, "claims");
  }

  /// It was taken for another kind of marker: what the producer wrote next, and committed, was left
  /// out as if it were aborted.
  @Test
  void aMarkerThatCannotBeReadIsRefused() {
    List<AbortedTransaction> aborted =
        List.of(new AbortedTransaction().setProducerId(PRODUCER).setFirstOffset(0));
    assertEquals(1, read(aborted, 0, transaction(0), abort(1), transaction(2)).records.size());
    // length, attributes, timestamp, offset, length of the key
    for (int at : new int[] {0, 4}) {
      byte[] marker = with(abort(1), BatchLayout.RECORDS + at, 2);
      OurRead read = read(aborted, 0, transaction(0), marker, transaction(2));
      assertRefused(read, 0, "marks the end of a transaction");
    }
  }

  /// They were handed out, and failed whoever looked at them.
  @Test
  void headersThatAreNoneAreRefused() {
    byte[] value = {7};
    SimpleRecord record =
        new SimpleRecord(
            TIME, value, value, new RecordHeader[] {new RecordHeader("header", value)});
    byte[] batch = bytes(MemoryRecords.withRecords(0, Compression.NONE, 1, record));
    assertNull(read(0, batch).failure);
    // behind length, attributes, timestamp, offset, key and value
    int headers = BatchLayout.RECORDS + 8;
    assertEquals(2, batch[headers]);
    assertRefused(read(0, with(batch.clone(), headers, 4)), 0, "none.");
    assertRefused(read(0, with(batch.clone(), headers, 1)), 0, "none.");
    assertRefused(read(0, with(batch.clone(), headers + 1, 1)), 0, "none.");
    assertRefused(read(0, with(batch.clone(), headers + 8, 8)), 0, "none.");
  }

  /// Kafka's classes read no number of 32 bits that takes more than five bytes.
  @Test
  void lengthsTakeFiveBytesAtMost() {
    byte[] batch = batch(0, "0123456789");
    // length, attributes, timestamp, offset, no key, length of the value
    int key = BatchLayout.RECORDS + 4;
    byte[] five = {(byte) 0x81, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0, 12};
    System.arraycopy(five, 0, batch, key, five.length);
    byte[] six = batch.clone();
    assertNull(read(0, repaired(batch)).failure);
    byte[] long6 = {(byte) 0x81, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0, 10};
    System.arraycopy(long6, 0, six, key, long6.length);
    assertRefused(read(0, repaired(six)), 0, "none.");
  }

  @ParameterizedTest
  @EnumSource(CompressionType.class)
  void nothingUnpacksToMoreThanIsTaken(CompressionType type) throws IOException {
    byte[] zeros = new byte[3 << 20];
    ByteBuffer packed = packed(type, zeros);
    assertTrue(unpack(type, packed, 4 << 20).length() > zeros.length);
    IOException failure = assertThrows(IOException.class, () -> unpack(type, packed, 3 << 20));
    assertTrue(failure.getMessage().contains("more than"), failure::getMessage);
  }

  private static ByteBuffer packed(CompressionType type, byte[] bytes) {
    MemoryRecords records =
        MemoryRecords.withRecords(
            Compression.of(type).build(), new SimpleRecord(TIME, null, bytes));
    return records.buffer().position(BatchLayout.RECORDS).slice();
  }

  private static BytesWriter unpack(CompressionType type, ByteBuffer packed, int most)
      throws IOException {
    BytesWriter out = new BytesWriter();
    try (Unpacker unpacker = new Unpacker(most)) {
      int from = packed.arrayOffset();
      unpacker.unpack(type, packed.array(), from, from + packed.remaining(), out);
    }
    return out;
  }

  /// Memory for what a block claims to hold was taken before it was looked at.
  @Test
  void blocksOfSnappyHoldNoMoreThanTheyCan() {
    byte[] block = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7, 0, 1, 2};
    IOException raw = assertThrows(IOException.class, () -> unpackSnappy(block));
    assertTrue(raw.getMessage().contains("declares 2147483647"), raw::getMessage);
    byte[] framed =
        ByteBuffer.allocate(16 + 4 + block.length)
            .put(new byte[] {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1})
            .putInt(block.length)
            .put(block)
            .array();
    IOException one = assertThrows(IOException.class, () -> unpackSnappy(framed));
    assertTrue(one.getMessage().contains("declares 2147483647"), one::getMessage);
    BatchLayout.putInt(framed, 16, 500 << 20);
    IOException two = assertThrows(IOException.class, () -> unpackSnappy(framed));
    assertTrue(two.getMessage().contains("a block of 524288000"), two::getMessage);
  }

  private static void unpackSnappy(byte[] bytes) throws IOException {
    unpack(CompressionType.SNAPPY, ByteBuffer.wrap(bytes), 1 << 20);
  }

  /// An answer of 16 MB that unpacks to gigabytes was unpacked as a whole.
  @Test
  void anAnswerIsUnpackedOnlySoFar() {
    byte[] zeros = new byte[10 << 20];
    byte[][] batches = new byte[8][];
    for (int i = 0; i < batches.length; i++) {
      batches[i] =
          bytes(
              MemoryRecords.withRecords(
                  i, Compression.zstd().build(), 1, new SimpleRecord(TIME, null, zeros)));
    }
    OurRead first = read(0, batches);
    assertNull(first.failure);
    assertEquals(4, first.next);
    assertTrue(first.memoryBytes < 100 << 20, () -> first.memoryBytes + " bytes");
    OurRead second = read(first.next, Arrays.copyOfRange(batches, 4, 8));
    assertEquals(8, second.next);
  }

  @Test
  void aBatchThatUnpacksToTooMuchIsNamedWithTheWayOut() {
    byte[] bomb =
        bytes(
            MemoryRecords.withRecords(
                7, Compression.zstd().build(), 1, new SimpleRecord(TIME, null, new byte[5 << 20])));
    FetchedBytes answer = new FetchedBytes(bomb, List.of(), 7);
    assertNull(new OurRead(answer, new BatchPool(), 6 << 20).failure);
    OurRead refused = new OurRead(answer, new BatchPool(), 5 << 20);
    assertEquals(7, refused.next);
    String message = refused.failure.getMessage();
    for (String part :
        List.of("fuzzed-3", "offset 7", "zstd", "5242880", "fetch.max.bytes", "official")) {
      assertTrue(message.contains(part), message);
    }
  }
}

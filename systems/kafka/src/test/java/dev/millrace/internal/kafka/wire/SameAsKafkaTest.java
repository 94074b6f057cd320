package dev.millrace.internal.kafka.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.utils.ByteUtils;
import org.apache.kafka.common.utils.Crc32C;
import org.junit.jupiter.api.Test;

/// What is computed as Kafka computes it, beside Kafka's own code: numbers of variable length,
/// whole batches with their sizes and checksums, headers.
class SameAsKafkaTest {
  private static final long TIME = 1_700_000_000_000L;

  private static final int[] LENGTHS = {0, 1, 2, 7, 20, 63, 64, 65, 127, 128, 300, 8_191, 8_192};

  @Test
  void numbersOfVariableLengthAreTheSame() {
    Random random = new Random(41);
    List<Long> numbers = new ArrayList<>(List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    for (int bits = 1; bits < 64; bits++) {
      for (long near : new long[] {-1, 0, 1}) {
        numbers.add((1L << bits) + near);
        numbers.add(-(1L << bits) + near);
      }
      numbers.add(random.nextLong() >> bits);
    }
    for (long number : numbers) {
      ByteBuffer expected = ByteBuffer.allocate(10);
      ByteUtils.writeVarlong(number, expected);
      byte[] found = new byte[10];
      long raw = VarInts.zigZag(number);
      int end = VarInts.write(found, 0, raw);
      assertArrayEquals(
          Arrays.copyOf(expected.array(), expected.position()), Arrays.copyOf(found, end));
      assertEquals(ByteUtils.sizeOfVarlong(number), VarInts.sizeOf(raw), () -> "of " + number);
      assertEquals(number, VarInts.unZigZag(raw));
      if (number == (int) number) {
        assertEquals(ByteUtils.sizeOfVarint((int) number), VarInts.sizeOf(raw));
      }
    }
  }

  @Test
  void batchesAreTheSameByteByByte() {
    for (int seed = 0; seed < 300; seed++) {
      batchIsTheSame(new Random(seed), "seed " + seed);
    }
  }

  private static void batchIsTheSame(Random random, String seed) {
    long producer = random.nextLong(1L << 40);
    short epoch = (short) random.nextInt(Short.MAX_VALUE);
    int sequence = random.nextInt(Integer.MAX_VALUE);
    boolean transactional = random.nextBoolean();
    RecordBatch records = RecordBatch.create();
    try (MemoryRecordsBuilder expected =
        MemoryRecords.builder(
            ByteBuffer.allocate(1 << 20),
            DefaultRecordBatch.CURRENT_MAGIC_VALUE,
            Compression.NONE,
            TimestampType.CREATE_TIME,
            0,
            TIME,
            producer,
            epoch,
            sequence,
            transactional,
            -1)) {
      for (int i = random.nextInt(20); i >= 0; i--) {
        long time = i % 5 == 0 ? random.nextLong(1L << 45) : TIME + random.nextInt(2_000) - 1_000;
        byte[] key = random.nextInt(5) == 0 ? null : bytes(random);
        byte[] value = random.nextInt(5) == 0 ? null : bytes(random);
        List<Header> headers = headers(random);
        expected.append(time, key, value, headers.toArray(new Header[0]));
        append(records, time, key, value, headers);
      }
      List<EncodedBatch> found = new ArrayList<>();
      BatchEncoder encoder =
          new BatchEncoder(Compression.NONE, 1 << 20, new BatchArrays(1 << 10), found::add);
      encoder.add(records, new Bytes());
      encoder.finish();
      assertEquals(1, found.size(), seed);
      ByteBuffer stamped = found.getFirst().stamp(producer, epoch, sequence, transactional);
      byte[] bytes = new byte[stamped.remaining()];
      stamped.get(bytes);
      ByteBuffer built = expected.build().buffer();
      byte[] wanted = new byte[built.remaining()];
      built.duplicate().get(wanted);
      assertArrayEquals(wanted, bytes, seed);
    }
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<Header> headers(Random random) {
    List<Header> headers = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String key = "h\u00fc".repeat(random.nextInt(40)) + i;
      headers.add(new RecordHeader(key, random.nextInt(4) == 0 ? null : bytes(random)));
    }
    return headers;
  }

  private static void append(
      RecordBatch records, long time, byte[] key, byte[] value, List<Header> headers) {
    records.append(records.size(), time);
    if (key != null) {
      records.key(key, 0, key.length);
    }
    if (value != null) {
      records.value(value, 0, value.length);
    }
    if (!headers.isEmpty()) {
      BytesWriter out = new BytesWriter();
      Headers.begin(headers.size(), out);
      headers.forEach(header -> Headers.write(header.key(), header.value(), out));
      byte[] encoded = out.toByteArray();
      records.headers(encoded, 0, encoded.length);
    }
  }

  /// The check value that is published with the polynomial.
  @Test
  void checksumsAreThoseOfTheStandard() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    java.util.zip.CRC32C ours = new java.util.zip.CRC32C();
    ours.update(digits);
    assertEquals(0xE3069283L, ours.getValue());
    assertEquals(0xE3069283L, Crc32C.compute(digits, 0, digits.length));
  }
}

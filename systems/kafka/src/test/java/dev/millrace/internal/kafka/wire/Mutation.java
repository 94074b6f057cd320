package dev.millrace.internal.kafka.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/// Ways to change what a broker answers. All but a few keep what is around them valid, so that the
/// change gets as far as it can.
enum Mutation {
  NONE,
  /// Some bits anywhere.
  FLIP,
  /// The end is missing.
  TRUNCATE,
  /// Some bytes of a batch are missing, and its length says so.
  CUT,
  /// Some bytes more in a batch, and its length says so.
  INSERT,
  /// A number in the header of a batch becomes one that is not expected.
  HEADER,
  /// A number in the records of a batch becomes one that is not expected.
  VARINT,
  /// The same in what a batch unpacks to, which is packed again.
  REPACK,
  /// Whole batches are exchanged, repeated or left out.
  BATCHES,
  /// Some bytes of another answer.
  SPLICE,
  /// Other transactions are said to be aborted.
  ABORTED;

  static final List<Mutation> ALL = List.of(values());

  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    7,
    60,
    61,
    127,
    128,
    255,
    256,
    32767,
    32768,
    65535,
    -2,
    -128,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE - 61,
    1L << 31,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 3
  };

  /// Where the numbers of a header are, and how many bytes they take.
  private static final int[][] FIELDS = {
    {BatchLayout.BASE_OFFSET, 8},
    {BatchLayout.LENGTH, 4},
    {BatchLayout.LEADER_EPOCH, 4},
    {BatchLayout.MAGIC, 1},
    {BatchLayout.CRC, 4},
    {BatchLayout.ATTRIBUTES, 2},
    {BatchLayout.LAST_OFFSET_DELTA, 4},
    {BatchLayout.BASE_TIMESTAMP, 8},
    {BatchLayout.MAX_TIMESTAMP, 8},
    {BatchLayout.PRODUCER_ID, 8},
    {BatchLayout.PRODUCER_EPOCH, 2},
    {BatchLayout.BASE_SEQUENCE, 4},
    {BatchLayout.COUNT, 4}
  };

  /// @param other what bytes may be taken from
  FetchedBytes apply(FetchedBytes to, FetchedBytes other, Random random) {
    if (this == ABORTED) {
      return new FetchedBytes(to.bytes(), aborted(to.aborted(), random), to.next());
    }
    byte[] bytes = to.bytes().clone();
    boolean repair = random.nextInt(4) > 0;
    byte[] changed =
        switch (this) {
          case NONE, ABORTED -> bytes;
          case FLIP -> flip(bytes, random);
          case TRUNCATE -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
          case CUT -> resize(bytes, -1 - random.nextInt(20), random);
          case INSERT -> resize(bytes, 1 + random.nextInt(20), random);
          case HEADER -> header(bytes, random);
          case VARINT -> varInt(bytes, random);
          case REPACK -> repack(bytes, random);
          case BATCHES -> batches(bytes, random);
          case SPLICE -> splice(bytes, other.bytes(), random);
        };
    if (repair) {
      repair(changed);
    }
    return new FetchedBytes(changed, to.aborted(), to.next());
  }

  private static byte[] flip(byte[] bytes, Random random) {
    for (int times = 1 + random.nextInt(4); times > 0; times--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  /// The start of each batch, and the end of the last.
  private static List<Integer> starts(byte[] bytes) {
    List<Integer> starts = new ArrayList<>(List.of(0));
    int at = 0;
    while (bytes.length - at >= BatchLayout.RECORDS) {
      long length = BatchLayout.intAt(bytes, at + BatchLayout.LENGTH);
      if (length < BatchLayout.RECORDS - BatchLayout.BEFORE_LENGTH
          || length > bytes.length - at - BatchLayout.BEFORE_LENGTH) {
        break;
      }
      at += (int) length + BatchLayout.BEFORE_LENGTH;
      starts.add(at);
    }
    return starts;
  }

  private static void repair(byte[] bytes) {
    List<Integer> starts = starts(bytes);
    for (int i = 0; i + 1 < starts.size(); i++) {
      int from = starts.get(i);
      CRC32C crc = new CRC32C();
      crc.update(
          bytes, from + BatchLayout.ATTRIBUTES, starts.get(i + 1) - from - BatchLayout.ATTRIBUTES);
      BatchLayout.putInt(bytes, from + BatchLayout.CRC, (int) crc.getValue());
    }
  }

  private static byte[] resize(byte[] bytes, int more, Random random) {
    List<Integer> starts = starts(bytes);
    int batch = random.nextInt(starts.size() - 1);
    int from = starts.get(batch);
    int behind = starts.get(batch + 1);
    int room = behind - from - BatchLayout.RECORDS;
    int by = Math.max(more, -room);
    int at = from + BatchLayout.RECORDS + random.nextInt(Math.max(1, room + Math.min(by, 0) + 1));
    byte[] changed = new byte[bytes.length + by];
    random.nextBytes(changed);
    System.arraycopy(bytes, 0, changed, 0, at);
    int rest = Math.max(at, at - by);
    System.arraycopy(bytes, rest, changed, rest + by, bytes.length - rest);
    int length = BatchLayout.intAt(changed, from + BatchLayout.LENGTH);
    BatchLayout.putInt(changed, from + BatchLayout.LENGTH, length + by);
    return changed;
  }

  private static byte[] header(byte[] bytes, Random random) {
    List<Integer> starts = starts(bytes);
    int from = starts.get(random.nextInt(starts.size() - 1));
    int[] field = FIELDS[random.nextInt(FIELDS.length)];
    int at = from + field[0];
    long before =
        switch (field[1]) {
          case 1 -> bytes[at];
          case 2 -> BatchLayout.shortAt(bytes, at);
          case 4 -> BatchLayout.intAt(bytes, at);
          default -> BatchLayout.longAt(bytes, at);
        };
    long number = number(before, random);
    switch (field[1]) {
      case 1 -> bytes[at] = (byte) number;
      case 2 -> BatchLayout.putShort(bytes, at, (int) number);
      case 4 -> BatchLayout.putInt(bytes, at, (int) number);
      default -> BatchLayout.putLong(bytes, at, number);
    }
    return bytes;
  }

  private static long number(long before, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> before + random.nextInt(-20, 20);
      case 1 -> before ^ (1L << random.nextInt(64));
      default -> NUMBERS[random.nextInt(NUMBERS.length)];
    };
  }

  private static byte[] varInt(byte[] bytes, Random random) {
    List<Integer> starts = starts(bytes);
    int batch = random.nextInt(starts.size() - 1);
    int from = starts.get(batch) + BatchLayout.RECORDS;
    putVarInt(bytes, from, starts.get(batch + 1), random);
    return bytes;
  }

  /// Overwrites something between two places.
  private static void putVarInt(byte[] bytes, int from, int behind, Random random) {
    if (from >= behind) {
      return;
    }
    // Most numbers of a record are at its beginning.
    int at =
        from + random.nextInt(random.nextBoolean() ? Math.min(10, behind - from) : behind - from);
    byte[] encoded = new byte[12];
    int length = VarInts.write(encoded, 0, VarInts.zigZag(number(random.nextInt(100), random)));
    if (random.nextInt(4) == 0) {
      // The same number in more bytes than it needs.
      encoded[length - 1] |= (byte) 0x80;
      length += random.nextInt(12 - length + 1);
    }
    System.arraycopy(encoded, 0, bytes, at, Math.min(length, behind - at));
  }

  private static byte[] repack(byte[] bytes, Random random) {
    List<Integer> starts = starts(bytes);
    int batch = random.nextInt(starts.size() - 1);
    int from = starts.get(batch);
    int behind = starts.get(batch + 1);
    int type = BatchLayout.shortAt(bytes, from + BatchLayout.ATTRIBUTES) & 7;
    Compression compression = Compression.of(CompressionType.forId(type)).build();
    ByteBuffer packed =
        ByteBuffer.wrap(bytes, from + BatchLayout.RECORDS, behind - from - BatchLayout.RECORDS);
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    changed.write(bytes, 0, from + BatchLayout.RECORDS);
    byte[] plain;
    try (InputStream in =
        compression.wrapForInput(packed, BatchLayout.FORMAT, BufferSupplier.NO_CACHING)) {
      plain = in.readAllBytes();
    } catch (IOException | KafkaException e) {
      return bytes; // a batch that the cleaner left empty
    }
    switch (random.nextInt(3)) {
      case 0 -> putVarInt(plain, 0, plain.length, random);
      case 1 -> plain = Arrays.copyOf(plain, random.nextInt(plain.length + 5));
      default -> {
        if (plain.length > 0) {
          flip(plain, random);
        }
      }
    }
    ByteBufferOutputStream again = new ByteBufferOutputStream(plain.length + 100);
    try (OutputStream out = compression.wrapForOutput(again, BatchLayout.FORMAT)) {
      out.write(plain);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    changed.write(again.buffer().array(), 0, again.position());
    int length = changed.size() - from - BatchLayout.BEFORE_LENGTH;
    changed.write(bytes, behind, bytes.length - behind);
    byte[] all = changed.toByteArray();
    BatchLayout.putInt(all, from + BatchLayout.LENGTH, length);
    return all;
  }

  private static byte[] batches(byte[] bytes, Random random) {
    List<Integer> starts = starts(bytes);
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i + 1 < starts.size(); i++) {
      all.add(Arrays.copyOfRange(bytes, starts.get(i), starts.get(i + 1)));
    }
    int one = random.nextInt(all.size());
    switch (random.nextInt(3)) {
      case 0 -> all.add(random.nextInt(all.size() + 1), all.get(one));
      case 1 -> all.add(random.nextInt(all.size()), all.remove(one));
      default -> all.remove(one);
    }
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    all.forEach(changed::writeBytes);
    return changed.toByteArray();
  }

  private static byte[] splice(byte[] bytes, byte[] other, Random random) {
    int length = 1 + random.nextInt(Math.min(bytes.length, other.length));
    System.arraycopy(
        other,
        random.nextInt(other.length - length + 1),
        bytes,
        random.nextInt(bytes.length - length + 1),
        length);
    return bytes;
  }

  private static List<AbortedTransaction> aborted(List<AbortedTransaction> told, Random random) {
    List<AbortedTransaction> changed = new ArrayList<>();
    for (AbortedTransaction each : told) {
      for (int times = random.nextInt(3); times > 0; times--) {
        AbortedTransaction copy = each.duplicate();
        if (random.nextInt(3) == 0) {
          copy.setFirstOffset(number(copy.firstOffset(), random));
        }
        if (random.nextInt(3) == 0) {
          copy.setProducerId(number(copy.producerId(), random));
        }
        changed.add(copy);
      }
    }
    if (changed.isEmpty() || random.nextInt(3) == 0) {
      changed.add(
          new AbortedTransaction()
              .setProducerId(random.nextInt(-2, 4))
              .setFirstOffset(random.nextInt(1_000_000)));
    }
    return changed;
  }
}

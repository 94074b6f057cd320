package dev.millrace.internal.engine.commit;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What is true of a task after a commit: the last of the task's records in the transaction, under
/// a reserved key of the changelog.
///
/// @param planVersion of the plan that the task belongs to
/// @param ownership what the writer does with the task from then on: [#CLAIMED] or [#RELEASED].
///   Builds that knew no claims wrote how tasks were distributed, and take this for another
///   distribution, whose writer they bar
/// @param number counts the commits of the task, from 1
/// @param writer whose transaction holds the record
/// @param watermark up to which all operators were brought
/// @param announced the watermark last told to the exchanges
/// @param inputs every split the task reads
/// @param writtenMillis the task's time from this commit on; see
///   [dev.millrace.internal.engine.time.TaskClock]
/// @param keys which of the keys of its partition the task has from this commit on
/// @param parts the numbers of the tasks that were split off from it, in order
/// @param lacksBase whether a part of its state stands in the changelog of the task only that it
///   was split off from
public record CommitRecord(
    long planVersion,
    String ownership,
    long number,
    WriterId writer,
    long watermark,
    long announced,
    boolean announcedIdle,
    List<Input> inputs,
    long writtenMillis,
    KeyShare keys,
    List<Integer> parts,
    boolean lacksBase) {
  private static final byte FORMAT = 1;

  /// The format of tasks that were split.
  private static final byte FORMAT_OF_SHARES = 2;

  /// The key of the record in the changelog: store number 0, which no store has.
  public static final Bytes KEY = Bytes.of(new byte[] {0, 0});

  /// It goes on to write for it.
  public static final String CLAIMED = "claimed";

  /// It lets go of it with this commit.
  public static final String RELEASED = "released";

  /// @param end the offset behind the last record to read, or -1 if there is no such
  /// @param maxTimestamp of a source's split; see [dev.millrace.internal.engine.time.InputTime]
  /// @param upstream what each task that feeds an exchange has said; empty for a source
  public record Input(
      Split split,
      Position position,
      long end,
      long maxTimestamp,
      boolean idle,
      boolean ended,
      List<Upstream> upstream) {}

  public record Upstream(long watermark, boolean idle) {}

  /// The record of a task that has all keys of its partition.
  public CommitRecord(
      long planVersion,
      String ownership,
      long number,
      WriterId writer,
      long watermark,
      long announced,
      boolean announcedIdle,
      List<Input> inputs,
      long writtenMillis) {
    this(
        planVersion,
        ownership,
        number,
        writer,
        watermark,
        announced,
        announcedIdle,
        inputs,
        writtenMillis,
        KeyShare.ALL,
        List.of(),
        false);
  }

  /// Returns the record of a commit by which another task is split off.
  ///
  /// @param part its number
  public CommitRecord splitting(int part) {
    List<Integer> all = new ArrayList<>(parts);
    all.add(part);
    return with(ownership, announcedIdle, keys.kept(), all, lacksBase);
  }

  /// Returns the first commit record of a task that is split off by this commit, which nobody owns
  /// yet.
  public CommitRecord ofPart() {
    return with(RELEASED, false, keys.splitOff(), List.of(), true);
  }

  private CommitRecord with(
      String newOwnership,
      boolean isIdle,
      KeyShare newKeys,
      List<Integer> newParts,
      boolean newLacksBase) {
    return new CommitRecord(
        planVersion,
        newOwnership,
        number,
        writer,
        watermark,
        announced,
        isIdle,
        inputs,
        writtenMillis,
        newKeys,
        newParts,
        newLacksBase);
  }

  /// Returns the next commit of a task of which nothing changed but its inputs and entries of its
  /// stores.
  public CommitRecord next(List<Input> nextInputs) {
    return new CommitRecord(
        planVersion,
        ownership,
        number + 1,
        writer,
        watermark,
        announced,
        announcedIdle,
        nextInputs,
        writtenMillis,
        keys,
        parts,
        lacksBase);
  }

  /// Appends the record to a batch of the changelog.
  ///
  /// @param index how many records the batch has
  public void appendTo(RecordBatch batch, int index, long millis) {
    batch.append(index, millis);
    batch.key(KEY.array(), KEY.offset(), KEY.length());
    int start = batch.data().length();
    batch.data().write(toBytes());
    batch.endValue(start);
  }

  public byte[] toBytes() {
    BytesWriter out = new BytesWriter();
    boolean shares = !keys.isAll();
    out.writeByte(shares ? FORMAT_OF_SHARES : FORMAT);
    out.writeLong(planVersion);
    writeText(ownership, out);
    out.writeLong(number);
    writeText(writer.transactionalId(), out);
    out.writeLong(writer.producerId());
    out.writeInt(writer.epoch());
    out.writeLong(watermark);
    out.writeLong(announced);
    out.writeByte(announcedIdle ? 1 : 0);
    out.writeLong(writtenMillis);
    out.writeInt(inputs.size());
    for (Input input : inputs) {
      writeText(input.split().stream(), out);
      out.writeInt(input.split().partition());
      out.writeLong(input.position().offset());
      out.writeInt(input.position().detail().length);
      out.write(input.position().detail());
      out.writeLong(input.end());
      out.writeLong(input.maxTimestamp());
      out.writeByte((input.idle() ? 1 : 0) | (input.ended() ? 2 : 0));
      out.writeInt(input.upstream().size());
      for (Upstream upstream : input.upstream()) {
        out.writeLong(upstream.watermark());
        out.writeByte(upstream.idle() ? 1 : 0);
      }
    }
    if (shares) {
      out.writeInt(keys.bits());
      out.writeInt(keys.ending());
      out.writeInt(parts.size());
      parts.forEach(out::writeInt);
      out.writeByte(lacksBase ? 1 : 0);
    }
    return out.toByteArray();
  }

  /// The commit record in a batch of the changelog.
  ///
  /// @throws IllegalStateException if it cannot be read; the message says where it lies
  public static CommitRecord read(RecordBatch batch, int index) {
    if (!batch.hasValue(index)) {
      throw new IllegalStateException(
          "The commit record in %s at offset %d has no value."
              .formatted(batch.split(), batch.offset(index)));
    }
    try {
      return read(batch.value(index, new Bytes()));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "The commit record in %s at offset %d cannot be read: %s"
              .formatted(batch.split(), batch.offset(index), e.getMessage()),
          e);
    }
  }

  /// @throws IllegalArgumentException if the bytes are no commit record of this format
  public static CommitRecord read(Bytes bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()).slice();
    try {
      byte format = in.get();
      if (format != FORMAT && format != FORMAT_OF_SHARES) {
        throw new IllegalArgumentException(
            "Expected a commit record of format " + FORMAT + "; found format " + format + ".");
      }
      CommitRecord record =
          new CommitRecord(
              in.getLong(),
              readText(in),
              in.getLong(),
              new WriterId(readText(in), in.getLong(), in.getInt()),
              in.getLong(),
              in.getLong(),
              in.get() != 0,
              new ArrayList<>(),
              in.getLong());
      int inputs = readCount(in, 4);
      for (int i = 0; i < inputs; i++) {
        record.inputs.add(readInput(in));
      }
      if (format == FORMAT_OF_SHARES) {
        KeyShare keys = new KeyShare(in.getInt(), in.getInt());
        record =
            record.with(record.ownership, record.announcedIdle, keys, parts(in), in.get() != 0);
      }
      if (in.hasRemaining()) {
        throw new IllegalArgumentException(
            "A commit record has " + in.remaining() + " bytes too many.");
      }
      return record;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "A commit record of " + bytes.length() + " bytes is cut off.", e);
    }
  }

  private static List<Integer> parts(ByteBuffer in) {
    List<Integer> parts = new ArrayList<>();
    int count = readCount(in, Integer.BYTES);
    for (int i = 0; i < count; i++) {
      parts.add(in.getInt());
    }
    return parts;
  }

  private static Input readInput(ByteBuffer in) {
    Split split = new Split(readText(in), in.getInt());
    long offset = in.getLong();
    byte[] detail = new byte[readCount(in, 1)];
    in.get(detail);
    long end = in.getLong();
    long maxTimestamp = in.getLong();
    byte flags = in.get();
    List<Upstream> upstream = new ArrayList<>();
    int tasks = readCount(in, 9);
    for (int i = 0; i < tasks; i++) {
      upstream.add(new Upstream(in.getLong(), in.get() != 0));
    }
    return new Input(
        split,
        new Position(offset, detail),
        end,
        maxTimestamp,
        (flags & 1) != 0,
        (flags & 2) != 0,
        upstream);
  }

  /// A count of things that take at least `leastBytes` each: checked before memory is taken.
  private static int readCount(ByteBuffer in, int leastBytes) {
    int count = in.getInt();
    if (count < 0 || (long) count * leastBytes > in.remaining()) {
      throw new IllegalArgumentException(
          "A commit record counts " + count + " things in " + in.remaining() + " bytes.");
    }
    return count;
  }

  private static void writeText(String text, BytesWriter out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(ByteBuffer in) {
    byte[] bytes = new byte[readCount(in, 1)];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

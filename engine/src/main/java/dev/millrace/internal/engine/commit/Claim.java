package dev.millrace.internal.engine.commit;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What a writer says before it writes for a task: that it is about to. Whoever comes later knows
/// from it whom to bar. Claims of an application stand in a topic of their own, as keys; a key
/// without a value withdraws its claim.
///
/// @param task the number of the task, which is its partition of the changelog
/// @param version of the decision that gave the task to the writer; 0 if none did
/// @param writer as the log named it when it was opened: each opening claims anew
public record Claim(int task, long version, WriterId writer) {
  private static final byte FORMAT = 1;

  /// Appends the claim, or that it is withdrawn, to a batch.
  ///
  /// @param millis since 1970
  void appendTo(RecordBatch batch, boolean withdrawn, long millis) {
    int index = batch.size();
    batch.append(index, millis);
    byte[] key = key();
    batch.key(key, 0, key.length);
    if (!withdrawn) {
      int start = batch.data().length();
      batch.data().writeByte(FORMAT);
      batch.data().writeLong(version);
      batch.endValue(start);
    }
  }

  private byte[] key() {
    BytesWriter out = new BytesWriter();
    out.writeInt(task);
    out.writeLong(writer.producerId());
    out.writeInt(writer.epoch());
    out.write(writer.transactionalId().getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  /// Reads the claim that a record makes or withdraws.
  ///
  /// @throws IllegalStateException if it is none; the message says where it lies
  static Claim read(RecordBatch batch, int index) {
    try {
      ByteBuffer key = buffer(batch.key(index, new Bytes()));
      int task = key.getInt();
      long producer = key.getLong();
      int epoch = key.getInt();
      String id = StandardCharsets.UTF_8.decode(key).toString();
      return new Claim(task, version(batch, index), new WriterId(id, producer, epoch));
    } catch (BufferUnderflowException e) {
      throw new IllegalStateException(
          "The record in %s at offset %d is no claim."
              .formatted(batch.split(), batch.offset(index)),
          e);
    }
  }

  private static long version(RecordBatch batch, int index) {
    if (!batch.hasValue(index)) {
      return 0;
    }
    ByteBuffer value = buffer(batch.value(index, new Bytes()));
    byte format = value.get();
    if (format != FORMAT) {
      throw new IllegalStateException(
          "Expected a claim of format %d in %s at offset %d; found format %d."
              .formatted(FORMAT, batch.split(), batch.offset(index), format));
    }
    return value.getLong();
  }

  private static ByteBuffer buffer(Bytes bytes) {
    return ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()).slice();
  }
}

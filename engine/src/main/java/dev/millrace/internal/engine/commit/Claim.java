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
/// @param writer as the log named it when it was opened: each opening claims anew
record Claim(int task, WriterId writer) {
  private static final byte[] VALUE = {1};

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
      batch.data().write(VALUE);
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
  /// @throws IllegalStateException if its key is none; the message says where it lies
  static Claim read(RecordBatch batch, int index) {
    Bytes key = batch.key(index, new Bytes());
    ByteBuffer in = ByteBuffer.wrap(key.array(), key.offset(), key.length()).slice();
    try {
      int task = in.getInt();
      long producer = in.getLong();
      int epoch = in.getInt();
      String id = StandardCharsets.UTF_8.decode(in).toString();
      return new Claim(task, new WriterId(id, producer, epoch));
    } catch (BufferUnderflowException e) {
      throw new IllegalStateException(
          "The key in %s at offset %d is no claim: it has %d bytes."
              .formatted(batch.split(), batch.offset(index), key.length()),
          e);
    }
  }
}

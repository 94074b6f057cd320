package dev.millrace.internal.memory;

import dev.millrace.spi.TransactionalWriter.WriterId;
import org.jspecify.annotations.Nullable;

/// What is known of a transactional id: who may write, and the transaction that is open. Guarded by
/// the lock of the store.
final class WriterIdentity {
  private final String transactionalId;
  private final long producerId;
  private int epoch;
  private @Nullable Transaction open;

  WriterIdentity(String transactionalId, long producerId) {
    this.transactionalId = transactionalId;
    this.producerId = producerId;
  }

  /// Returns who may write now.
  WriterId writer() {
    return new WriterId(transactionalId, producerId, epoch);
  }

  /// Returns whether somebody may still write.
  boolean isOf(WriterId writer) {
    return writer.epoch() == epoch;
  }

  /// Bars whoever may write now.
  void bar() {
    epoch++;
  }

  @Nullable Transaction open() {
    return open;
  }

  void open(@Nullable Transaction transaction) {
    open = transaction;
  }
}

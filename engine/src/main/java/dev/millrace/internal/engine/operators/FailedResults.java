package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// What of an operator has failed without a record at hand, under a policy that goes on. Each is
/// passed over when an attempt comes to it again; what it had done was rolled back.
public interface FailedResults {

  /// Nothing has failed, and what fails stops the job.
  FailedResults NONE =
      new FailedResults() {
        @Override
        public boolean isEmpty() {
          return true;
        }

        @Override
        public boolean contains(Bytes id) {
          return false;
        }

        @Override
        public boolean goesOn() {
          return false;
        }

        @Override
        public void passOver(Due due, @Nullable Bytes value) {
          throw stops();
        }

        @Override
        public void giveUp(Due due, @Nullable Bytes value, RuntimeException cause) {
          throw stops();
        }

        private IllegalStateException stops() {
          return new IllegalStateException("What fails stops the job.");
        }
      };

  boolean isEmpty();

  /// Whether something has failed before.
  ///
  /// @param id see [Due]
  boolean contains(Bytes id);

  /// Whether the policy is to go on.
  boolean goesOn();

  /// Counts something that has failed before, and sends it to the dead letters if that is the
  /// policy. The operator goes on as if it had been done, and emits nothing of it.
  ///
  /// @param value what there is of it; null if there is none
  void passOver(Due due, @Nullable Bytes value);

  /// The same for something that fails now, before anything was done for it.
  void giveUp(Due due, @Nullable Bytes value, RuntimeException cause);
}

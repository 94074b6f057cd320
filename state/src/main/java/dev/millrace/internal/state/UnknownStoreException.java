package dev.millrace.internal.state;

/// Thrown if there is state of a store that a task does not have, because another topology wrote
/// it.
public final class UnknownStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownStoreException(String task, int number) {
    super(
        "Task %s has no store number %d: its state was written by another topology. Run the same topology, or give the application another name."
            .formatted(task, number));
  }
}

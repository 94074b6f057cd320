package dev.millrace.internal.engine.calls;

/// A call and all its repetitions have failed, and the application does not say what holds then.
public final class CallFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CallFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  /// The same, for a certain record.
  ///
  /// @param record where it lies
  public CallFailedException at(String record) {
    return new CallFailedException(getMessage() + ", for the record at " + record, this);
  }
}

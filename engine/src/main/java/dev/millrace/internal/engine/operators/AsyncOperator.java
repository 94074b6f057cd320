package dev.millrace.internal.engine.operators;

/// An operator whose results come later than its rows, when another system has answered. Event time
/// behind it is held back by the rows that wait.
public interface AsyncOperator extends Operator {

  /// Whether it should be given more rows now.
  boolean hasRoom();

  /// Whether rows wait.
  boolean isWaiting();

  /// Emits what has come, and goes on asking.
  ///
  /// @return whether anything was done
  boolean poll(RowSink out);

  /// The least event time of the rows that wait; `Long.MAX_VALUE` if none does.
  long hold();

  /// The watermark that all behind it had come to at the last commit.
  long passed();

  /// All behind it have come to a watermark; it is kept with the next commit.
  void passed(long watermark);
}

package dev.millrace.internal.engine.operators;

/// An operator that does something as time goes by, whether or not rows come.
public interface ClockedOperator extends Operator {

  /// When [#tick] may have something to do, in milliseconds since 1970 by the task's clock;
  /// `Long.MAX_VALUE` if never.
  long dueMillis();

  /// Does what is due, at most about `budget` results of it. Not called before [#dueMillis], nor
  /// when all input has ended.
  ///
  /// @return whether there was anything
  boolean tick(long nowMillis, int budget, RowSink out);
}

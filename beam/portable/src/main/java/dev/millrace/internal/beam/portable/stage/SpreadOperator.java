package dev.millrace.internal.beam.portable.stage;

import dev.millrace.internal.beam.operators.Partitions;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.List;

/// Gives elements keys that lead to all tasks of the next stage in turn.
public final class SpreadOperator implements Operator {
  private final Partitions partitions;
  private int next;

  private SpreadOperator(Partitions partitions) {
    this.partitions = partitions;
  }

  /// Returns the operator as a topology carries it.
  public static Declaration declare(Partitions partitions) {
    return new Declaration(
        () -> new SpreadOperator(partitions), List.of(), Parameters.of("beam spread"));
  }

  @Override
  public void open(OperatorContext context) {
    next = context.partition();
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    while (rows.next()) {
      out.emit(partitions.key(next), rows.value(), 0);
      next = (next + 1) % partitions.count();
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives elements a key that leads to the task of the same number in the next stage.
public final class StayOperator implements Operator {
  private final Partitions partitions;
  private @Nullable Bytes key;

  private StayOperator(Partitions partitions) {
    this.partitions = partitions;
  }

  /// The operator as a topology carries it.
  public static Declaration declare(Partitions partitions) {
    return new Declaration(
        () -> new StayOperator(partitions), List.of(), Parameters.of("beam stay"));
  }

  @Override
  public void open(OperatorContext context) {
    key = partitions.key(context.partition());
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    while (rows.next()) {
      out.emit(key, rows.value(), 0);
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

package dev.millrace.internal.beam.operators;

import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.List;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;

/// Sends the panes of a view, and how far event time has come, to all tasks.
public final class BroadcastOperator implements Operator {
  private final Partitions partitions;
  private int sender;

  private BroadcastOperator(Partitions partitions) {
    this.partitions = partitions;
  }

  public static Declaration declare(int parallelism) {
    Partitions partitions = new Partitions(parallelism);
    return new Declaration(
        () -> new BroadcastOperator(partitions), List.of(), Parameters.of("beam view"));
  }

  @Override
  public void open(OperatorContext context) {
    sender = context.partition();
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(RowCursor rows, RowSink out) {
    while (rows.next()) {
      var grouped = (WindowedValue<KV<Object, Iterable<Object>>>) rows.value();
      send(new SideRow.Pane(WindowedValues.withValue(grouped, grouped.getValue().getValue())), out);
    }
  }

  private void send(SideRow row, RowSink out) {
    for (int i = 0; i < partitions.count(); i++) {
      out.emit(partitions.key(i), row, 0);
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    send(new SideRow.Reached(sender, watermark), out);
    return true;
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}

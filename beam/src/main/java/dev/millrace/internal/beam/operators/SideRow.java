package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.state.Coding;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.values.WindowedValue;

/// What goes to all tasks for a view: what it has in a window, or how far event time has come.
public sealed interface SideRow {
  /// The elements of a view in one pane.
  record Pane(WindowedValue<Iterable<Object>> elements) implements SideRow {}

  /// Event time, as one of the tasks before has it.
  ///
  /// @param sender the number of that task
  record Reached(int sender, long watermark) implements SideRow {}

  /// Writes both.
  record Format(Coder<WindowedValue<Iterable<Object>>> panes) implements Serde<Object> {
    private static final int PANE = 1;
    private static final int REACHED = 2;

    @Override
    public String id() {
      return "beam:side";
    }

    @Override
    public void write(Object row, BytesWriter out) {
      switch ((SideRow) row) {
        case Pane(var elements) -> {
          out.writeByte(PANE);
          Coding.write(panes, elements, out);
        }
        case Reached(int sender, long watermark) -> {
          out.writeByte(REACHED);
          out.writeLong(watermark);
          Coding.write(VarIntCoder.of(), sender, out);
        }
      }
    }

    @Override
    public Object read(Bytes in) {
      return in.get(0) == PANE
          ? new Pane(Coding.read(panes, in, 1))
          : new Reached(
              Coding.read(VarIntCoder.of(), in, 1 + Long.BYTES),
              Coding.read(BigEndianLongCoder.of(), in, 1));
    }
  }
}

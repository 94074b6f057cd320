package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.Coding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo.PaneInfoCoder;
import org.apache.beam.sdk.values.WindowedValue;

/// Writes and reads what goes with a value from task to task: its timestamp, its windows and its
/// pane. Thread-safe.
///
/// Values that follow each other are mostly in the same windows, so those of the last one that was
/// written, and of the last one that was read, are kept.
public final class Envelope {
  private static final List<BoundedWindow> GLOBAL = List.of(GlobalWindow.INSTANCE);

  private final Coder<BoundedWindow> windowCoder;

  /// Any thread may change it, and one that sees an older one takes longer.
  private Known written = new Known(GLOBAL, new Bytes());

  private Known read = written;

  /// Windows with their bytes: none for the global one.
  private record Known(Collection<? extends BoundedWindow> windows, Bytes bytes) {}

  /// @param windowCoder of all windows
  public Envelope(Coder<? extends BoundedWindow> windowCoder) {
    this.windowCoder = DoFnSpec.coder(windowCoder);
  }

  /// Writes what goes with a value. The value is to be written next.
  public void write(WindowedValue<?> element, BytesWriter out) {
    out.writeLong(element.getTimestamp().getMillis());
    Bytes windows = bytes(element.getWindows());
    out.writeVarInt(windows.length());
    out.write(windows);
    Coding.write(PaneInfoCoder.INSTANCE, element.getPaneInfo(), out);
  }

  private Bytes bytes(Collection<? extends BoundedWindow> windows) {
    Known last = written;
    if (!areSame(last.windows, windows)) {
      last = new Known(windows, encoded(windows));
      written = last;
    }
    return last.bytes;
  }

  private static boolean areSame(Collection<?> some, Collection<?> others) {
    if (some.size() != others.size()) {
      return false;
    }
    Iterator<?> other = others.iterator();
    for (Object each : some) {
      if (!each.equals(other.next())) {
        return false;
      }
    }
    return true;
  }

  private Bytes encoded(Collection<? extends BoundedWindow> windows) {
    BytesWriter out = new BytesWriter(32);
    if (!areSame(windows, GLOBAL)) {
      out.writeVarInt(windows.size());
      for (BoundedWindow each : windows) {
        Coding.write(windowCoder, each, out);
      }
    }
    return Bytes.of(out.toByteArray());
  }

  /// Reads what goes with a value. The value is what the stream has next.
  public Enveloped read(BytesInput in) {
    long millis = Coding.read(BigEndianLongCoder.of(), in);
    Bytes bytes = in.view(new Bytes(), Coding.read(VarIntCoder.of(), in));
    Known last = read;
    if (!last.bytes.equals(bytes)) {
      last = new Known(decoded(bytes), bytes.copy());
      read = last;
    }
    return new Enveloped(millis, last.windows, Coding.read(PaneInfoCoder.INSTANCE, in));
  }

  private Collection<BoundedWindow> decoded(Bytes bytes) {
    if (bytes.length() == 0) {
      return GLOBAL;
    }
    BytesInput in = new BytesInput(bytes, 0);
    int count = Coding.read(VarIntCoder.of(), in);
    List<BoundedWindow> windows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      windows.add(Coding.read(windowCoder, in));
    }
    return windows;
  }
}

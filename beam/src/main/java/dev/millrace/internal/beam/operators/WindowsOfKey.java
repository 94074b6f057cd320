package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.Coding;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.jspecify.annotations.Nullable;

/// The windows of a key that have not ended, of which none is to be merged with another one, and
/// when it is looked at next.
final class WindowsOfKey {
  /// When it is looked at, if that is not planned.
  static final long NEVER = Long.MAX_VALUE;

  private final Map<BoundedWindow, Part> parts = new LinkedHashMap<>();
  private long lookMillis = NEVER;
  private long nextNumber;

  /// What is kept in a window of the key.
  static final class Part {
    private final long number;

    /// What it holds in this slice; null if nothing has been asked for.
    private @Nullable Object kept;

    private boolean isStored;

    private Part(long number) {
      this.number = number;
    }

    /// Returns the number of its place among those of the key.
    long number() {
      return number;
    }

    @Nullable Object kept() {
      return kept;
    }

    void keep(@Nullable Object object) {
      kept = object;
    }

    /// Whether the store has had something of it.
    boolean isStored() {
      return isStored;
    }

    void stored() {
      isStored = true;
    }
  }

  /// Returns the part of a window; null if the key has no such window.
  @Nullable Part find(BoundedWindow window) {
    return parts.get(window);
  }

  /// Returns a new part for a window that the key does not have.
  Part begin(BoundedWindow window) {
    Part part = new Part(nextNumber++);
    parts.put(window, part);
    return part;
  }

  /// Takes a window away; null is returned if the key does not have it.
  @Nullable Part remove(BoundedWindow window) {
    return parts.remove(window);
  }

  /// Has a part stand for a window that the key does not have.
  void put(BoundedWindow window, Part part) {
    parts.put(window, part);
  }

  Collection<BoundedWindow> windows() {
    return parts.keySet();
  }

  Collection<Part> parts() {
    return parts.values();
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /// Returns when the first of the windows ends.
  long firstEndMillis() {
    long first = NEVER;
    for (BoundedWindow window : parts.keySet()) {
      first = Math.min(first, window.maxTimestamp().getMillis());
    }
    return first;
  }

  long lookMillis() {
    return lookMillis;
  }

  void lookAt(long millis) {
    lookMillis = millis;
  }

  /// Writes the windows of a key with the numbers of their parts.
  record Format(Coder<BoundedWindow> windows) implements Serde<Object> {
    @Override
    public String id() {
      return "beam:windows";
    }

    @Override
    public void write(Object object, BytesWriter out) {
      WindowsOfKey of = (WindowsOfKey) object;
      out.writeLong(of.lookMillis);
      out.writeVarInt(of.parts.size());
      of.parts.forEach((window, part) -> {
        Coding.write(windows, window, out);
        Coding.write(VarLongCoder.of(), part.number, out);
      });
      Coding.write(VarLongCoder.of(), of.nextNumber, out);
    }

    @Override
    public Object read(Bytes in) {
      BytesInput from = new BytesInput(in, 0);
      WindowsOfKey of = new WindowsOfKey();
      of.lookMillis = Coding.read(BigEndianLongCoder.of(), from);
      int count = Coding.read(VarIntCoder.of(), from);
      for (int i = 0; i < count; i++) {
        BoundedWindow window = Coding.read(windows, from);
        Part part = new Part(Coding.read(VarLongCoder.of(), from));
        part.isStored = true;
        of.parts.put(window, part);
      }
      of.nextNumber = Coding.read(VarLongCoder.of(), from);
      return of;
    }
  }
}

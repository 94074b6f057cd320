package dev.millrace.spi;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets serdes read bytes whose memory is reused later.
///
/// With assertions enabled, as in tests, a serde gets a copy, which is overwritten as soon as the
/// serde returns, or, if it returns a view as `Serdes.view()` does, at [#end]. So code that keeps a
/// view for too long finds overwritten bytes at once, and not only when the memory happens to be
/// reused. Without assertions, serdes read the bytes in place. Used by one thread.
public final class Lending {
  private static final boolean CHECKED = Lending.class.desiredAssertionStatus();
  private static final byte OVER = (byte) 0xDB;

  /// Holds nothing, so that all may share it.
  private static final Lending UNCHECKED = new Lending();

  /// What views were returned of.
  private final List<byte[]> lent = new ArrayList<>(0);

  private byte[] next = {};

  /// What serdes are given: moved from one to the next, as elsewhere.
  private final Bytes view = new Bytes();

  private Lending() {}

  /// Begins a span of time within which views are valid.
  public static Lending begin() {
    return CHECKED ? new Lending() : UNCHECKED;
  }

  /// Returns what a serde reads from bytes. If that is a view, it is valid until [#end].
  public <T> T read(Serde<T> serde, Bytes in) {
    return CHECKED ? readCopy(serde, in, null) : serde.read(in);
  }

  /// Returns what a serde reads from the bytes and headers of a topic's record. If that is a view,
  /// it is valid until [#end].
  public <T> T read(Serde<T> serde, Bytes in, RecordHeaders headers) {
    return CHECKED ? readCopy(serde, in, headers) : serde.read(in, headers);
  }

  @SuppressWarnings("ReferenceEquality") // the same memory
  private <T> T readCopy(Serde<T> serde, Bytes in, @Nullable RecordHeaders headers) {
    int length = in.length();
    if (next.length < length) {
      next = new byte[length * 2];
    }
    System.arraycopy(in.array(), in.offset(), next, 0, length);
    view.set(next, 0, length);
    boolean returnsView = false;
    try {
      T value = headers == null ? serde.read(view) : serde.read(view, headers);
      returnsView = value instanceof Bytes bytes && bytes.array() == next;
      return value;
    } finally {
      if (returnsView) {
        lent.add(next);
        next = new byte[next.length];
      } else {
        Arrays.fill(next, 0, length, OVER);
      }
    }
  }

  /// Ends the validity of all views that were returned.
  public void end() {
    if (CHECKED && !lent.isEmpty()) {
      lent.forEach(each -> Arrays.fill(each, OVER));
      lent.clear();
    }
  }
}

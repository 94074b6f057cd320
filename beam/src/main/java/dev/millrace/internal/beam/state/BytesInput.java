package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import java.io.InputStream;
import java.util.Objects;

/// A stream over bytes in memory, for one thread: what is read of it takes no lock.
public final class BytesInput extends InputStream {
  private final byte[] array;
  private final int end;
  private int next;

  /// Reads bytes from one of them on.
  public BytesInput(Bytes bytes, int from) {
    Objects.checkIndex(from, bytes.length() + 1);
    array = bytes.array();
    next = bytes.offset() + from;
    end = bytes.offset() + bytes.length();
  }

  /// Moves a view over the next bytes, which are read then.
  ///
  /// @return the view
  public Bytes view(Bytes view, int count) {
    view.set(array, next, Objects.checkIndex(count, available() + 1));
    next += count;
    return view;
  }

  @Override
  public int read() {
    return next < end ? array[next++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, to.length);
    if (length == 0) {
      return 0;
    }
    int count = Math.min(length, available());
    if (count == 0) {
      return -1;
    }
    System.arraycopy(array, next, to, offset, count);
    next += count;
    return count;
  }

  @Override
  public long skip(long count) {
    int skipped = (int) Math.clamp(count, 0L, available());
    next += skipped;
    return skipped;
  }

  @Override
  public int available() {
    return end - next;
  }
}

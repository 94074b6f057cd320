package dev.millrace.internal.state.run;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A run whose order is checked while it is read: keys ascend strictly, and none is empty.
public final class AscendingRun implements Disk.SortedRun {
  private final Disk.SortedRun run;
  private byte[] last = new byte[64];
  private int lastLength;

  public AscendingRun(Disk.SortedRun run) {
    this.run = run;
  }

  /// @throws IllegalArgumentException if the next key is not greater than the one before
  @Override
  public boolean next() {
    if (!run.next()) {
      return false;
    }
    Bytes key = run.key();
    int from = key.offset();
    int length = key.length();
    if (Arrays.compareUnsigned(last, 0, lastLength, key.array(), from, from + length) >= 0) {
      throw new IllegalArgumentException(
          "the keys of a run must ascend and must not be empty, but %s follows %s"
              .formatted(key, Bytes.of(Arrays.copyOf(last, lastLength))));
    }
    if (length > last.length) {
      last = new byte[Math.max(length, (int) Math.min(2L * last.length, Integer.MAX_VALUE - 8))];
    }
    System.arraycopy(key.array(), from, last, 0, length);
    lastLength = length;
    return true;
  }

  @Override
  public Bytes key() {
    return run.key();
  }

  @Override
  public @Nullable Bytes value() {
    return run.value();
  }

  /// @throws IllegalArgumentException if the key is the empty one, which is reserved
  public static Bytes requireKey(Bytes key) {
    if (key.length() == 0) {
      throw new IllegalArgumentException("the empty key is reserved");
    }
    return key;
  }
}

package dev.millrace.spi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A position in a split, where reading continues: everything before it has been read.
///
/// The engine compares offsets and does not interpret `detail`, which belongs to the source. Kafka
/// keeps topic id and leader epoch there, so that a recreated or truncated topic is detected.
///
/// @param offset the offset of the next record, or a smaller offset without records between
/// @param detail opaque to the engine; not modified after construction
public record Position(long offset, byte[] detail) {
  private static final byte[] NONE = {};

  public static Position of(long offset) {
    return new Position(offset, NONE);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Position that
        && offset == that.offset
        && Arrays.equals(detail, that.detail);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(offset) * 31 + Arrays.hashCode(detail);
  }

  @Override
  public String toString() {
    return Long.toString(offset);
  }
}

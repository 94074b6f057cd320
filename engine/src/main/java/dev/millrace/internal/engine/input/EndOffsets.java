package dev.millrace.internal.engine.input;

import dev.millrace.spi.Split;

/// Returns how far a split can be read now, or -1; see [dev.millrace.spi.SplitReader#endOffset].
@FunctionalInterface
public interface EndOffsets {
  long endOffset(Split split);
}

package dev.millrace.internal.engine.sources;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the log and other systems in turn.
final class JoinedReader implements SplitReader {
  /// How long one is waited for while there are others.
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  private final Map<String, Part> byStream = new HashMap<>();
  private final List<Part> parts = new ArrayList<>();
  private final Part log;
  private int last;

  /// A reader and the splits it was given.
  private record Part(SplitReader reader, Set<Split> splits) {}

  JoinedReader(SplitReader log, Map<String, SplitReader> external) {
    this.log = new Part(log, new HashSet<>());
    parts.add(this.log);
    external.forEach((stream, reader) -> {
      Part part = new Part(reader, new HashSet<>());
      byStream.put(stream, part);
      parts.add(part);
    });
  }

  private Part of(Split split) {
    return byStream.getOrDefault(split.stream(), log);
  }

  @Override
  public void add(Split split, Position start) {
    Part part = of(split);
    part.reader.add(split, start);
    part.splits.add(split);
  }

  @Override
  public void remove(Split split) {
    Part part = of(split);
    part.splits.remove(split);
    part.reader.remove(split);
  }

  @Override
  public void pause(Split split) {
    of(split).reader.pause(split);
  }

  @Override
  public void resume(Split split) {
    of(split).reader.resume(split);
  }

  /// Waits for the first that has splits, the log if it is one of them: the others are asked again
  /// after a few milliseconds.
  @Override
  public @Nullable RecordBatch poll(Duration atMost) {
    Part waitsFor = null;
    int read = 0;
    for (int i = 1; i <= parts.size(); i++) {
      int at = (last + i) % parts.size();
      Part part = parts.get(at);
      if (!part.splits.isEmpty()) {
        read++;
        RecordBatch batch = part.reader.poll(Duration.ZERO);
        if (batch != null) {
          last = at;
          return batch;
        }
        waitsFor = waitsFor == null || part.equals(log) ? part : waitsFor;
      }
    }
    if (waitsFor == null || atMost.isZero()) {
      return null;
    }
    boolean othersToo = read > 1 && atMost.compareTo(LOOK_AGAIN) > 0;
    return waitsFor.reader.poll(othersToo ? LOOK_AGAIN : atMost);
  }

  @Override
  public long endOffset(Split split) {
    return of(split).reader.endOffset(split);
  }

  @Override
  public boolean isFound(Split split) {
    return of(split).reader.isFound(split);
  }

  @Override
  public long aheadBytes() {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.reader.aheadBytes();
    }
    return bytes;
  }

  @Override
  public void wakeup() {
    parts.forEach(part -> part.reader.wakeup());
  }

  @Override
  public void close() {
    parts.forEach(part -> part.reader.close());
  }
}

package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Ranking;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where rankings lie, and what is ranked: by the start of the window, and behind that the group
/// whose ranking it is, if each has one of its own. A group is the key of the rows to be ranked.
/// One instance makes one place of a ranking and one of a result at a time.
public final class RankingPlaces {
  private final boolean grouped;
  private final TimeKey rankings = new TimeKey();
  private final BytesWriter writer = new BytesWriter(64);
  private final Bytes view = new Bytes();

  public RankingPlaces(boolean grouped) {
    this.grouped = grouped;
  }

  /// The form of rankings' places.
  ///
  /// @param groups null if all keys are ranked together
  static KeyBytesSerde ofRankings(@Nullable Serde<Object> groups) {
    return groups == null ? KeyBytesSerde.timeOnly() : KeyBytesSerde.afterTime(groups);
  }

  static StoreSpec<Bytes, Ranking> spec(
      String name, @Nullable Serde<Object> groups, Serde<Object> keys, Serde<Object> values) {
    return ofRankings(groups).spec(name, new Ranking.Format(keys, values));
  }

  /// The form of results' places.
  public static KeyBytesSerde ofResults(@Nullable Serde<Object> groups, Serde<Object> keys) {
    return groups == null ? KeyBytesSerde.afterTime(keys) : new KeyBytesSerde("time+group+", keys);
  }

  /// The place of the ranking that a row is for.
  Bytes ranking(long start, RowCursor row) {
    return rankings.of(start, grouped ? Opened.key(row) : null);
  }

  /// The group whose ranking it is; null if all keys are ranked together.
  @Nullable Bytes group(Bytes ranking) {
    return grouped ? TimeKey.rowKey(ranking, new Bytes()) : null;
  }

  /// The place of what a key has in a ranking.
  public Bytes result(Bytes ranking, Bytes key) {
    writer.clear();
    start(ranking);
    writer.write(key);
    return writer.view(view, 0);
  }

  /// What the places of all results of a ranking begin with.
  Bytes results(Bytes ranking) {
    writer.clear();
    start(ranking);
    return Bytes.of(writer.toByteArray());
  }

  private void start(Bytes ranking) {
    Bytes group = group(ranking);
    if (group == null) {
      writer.write(ranking);
      return;
    }
    writer.writeLong(TimeKey.time(ranking) ^ Long.MIN_VALUE);
    Frames.write(group, writer);
  }

  /// The least place behind all that begin with these bytes.
  static @Nullable Bytes behind(Bytes start) {
    byte[] next = start.toByteArray();
    for (int last = next.length - 1; last >= 0; last--) {
      if (next[last] != -1) {
        next[last]++;
        return Bytes.of(Arrays.copyOf(next, last + 1));
      }
    }
    return null;
  }

  /// The key in a result's place.
  Bytes key(Bytes result) {
    Bytes behindTime = TimeKey.rowKey(result, new Bytes());
    if (!grouped) {
      return behindTime;
    }
    Frames.Reader reader = new Frames.Reader(behindTime);
    reader.frame();
    int at = reader.position();
    return new Bytes().set(behindTime.array(), behindTime.offset() + at, behindTime.length() - at);
  }

  Due due(Bytes result, AlignedWindows windows) {
    Bytes key =
        grouped
            ? new Frames.Reader(TimeKey.rowKey(result, new Bytes())).frame()
            : TimeKey.rowKey(result, new Bytes());
    return Due.result(result, key, windows.window(TimeKey.time(result)));
  }
}

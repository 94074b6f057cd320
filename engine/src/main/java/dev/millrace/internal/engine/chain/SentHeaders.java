package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.internal.engine.chain.SendTarget.Retractions;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import org.jspecify.annotations.Nullable;

/// Writes the headers of the records that leave a task. They are copied where neither the
/// application nor the serde of the values has anything to say of them.
final class SentHeaders {
  private final Retractions retractions;
  private final Setting sets;
  private final RecordHeaders headers = new RecordHeaders();
  private final Bytes view = new Bytes();

  SentHeaders(Retractions retractions, Setting sets) {
    this.retractions = retractions;
    this.sets = sets;
  }

  /// Writes the headers of the last record of a batch.
  ///
  /// @param key that the record has; null if it has none
  void write(Rows rows, int row, @Nullable Bytes key, RecordBatch batch) {
    if (sets.setsHeaders()) {
      begin(rows, row, key);
      end(rows, row, batch);
    } else if (rows.isRetraction(row)) {
      if (retractions == Retractions.EXCHANGED) {
        Retraction.mark(batch);
      } else {
        Retraction.markForReaders(batch);
      }
    } else if (rows.headers(row, view)) {
      if (retractions == Retractions.EXCHANGED) {
        Retraction.requireNoMark(view);
      }
      batch.headers(view.array(), view.offset(), view.length());
    }
  }

  /// Begins with those that the row has, and what the application makes of them.
  ///
  /// @return what the serde of the values may add to
  RecordHeaders begin(Rows rows, int row, @Nullable Bytes key) {
    rows.headers(row, headers);
    sets.setHeaders(rows, row, key, headers);
    return headers;
  }

  /// Writes what was begun.
  void end(Rows rows, int row, RecordBatch batch) {
    if (retractions == Retractions.WRITTEN && rows.isRetraction(row)) {
      headers.add(Retraction.HEADER, null);
    }
    BytesWriter data = batch.data();
    int start = data.length();
    Headers.write(headers, data);
    batch.endHeaders(start);
  }
}

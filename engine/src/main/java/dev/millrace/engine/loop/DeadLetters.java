package dev.millrace.engine.loop;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.chain.Outbox;
import dev.millrace.engine.operators.Due;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.settings.DeadLetter;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes dead letters into an outbox: they leave in the transaction that goes on without what they
/// hold.
///
/// @param topic that they go to
record DeadLetters(String topic) {

  /// Why something became a dead letter.
  record Failed(String operator, String cause) {}

  /// A record: original key, value and headers, and where and why it failed as further headers.
  ///
  /// @param millis what the clock shows
  void record(RecordBatch batch, int index, Failed failed, long millis, Outbox outbox) {
    RecordBatch out = outbox.append(topic, 0, millis);
    Bytes view = new Bytes();
    if (batch.hasKey(index)) {
      batch.key(index, view);
      out.key(view.array(), view.offset(), view.length());
    }
    if (batch.hasValue(index)) {
      batch.value(index, view);
      out.value(view.array(), view.offset(), view.length());
    }
    Map<String, String> added = new LinkedHashMap<>();
    added.put(DeadLetter.TOPIC, batch.split().stream());
    added.put(DeadLetter.PARTITION, Integer.toString(batch.split().partition()));
    added.put(DeadLetter.OFFSET, Long.toString(batch.offset(index)));
    added.put(DeadLetter.TIMESTAMP, Long.toString(batch.timestamp(index)));
    added.put(DeadLetter.OPERATOR, failed.operator);
    added.put(DeadLetter.CAUSE, failed.cause);
    batch.headers(index, view);
    end(out, view, added);
  }

  /// Something that failed without a record at hand.
  ///
  /// @param value what the operator kept of it; null if there is none
  /// @param millis what the clock shows
  void due(
      Due due, @Nullable Bytes value, Source source, Failed failed, long millis, Outbox outbox) {
    RecordBatch out = outbox.append(topic, 0, millis);
    Bytes key = due.key();
    if (key != null) {
      out.key(key.array(), key.offset(), key.length());
    }
    if (value != null) {
      out.value(value.array(), value.offset(), value.length());
    }
    Map<String, String> added = new LinkedHashMap<>();
    added.put(DeadLetter.KIND, due.kind());
    added.put(DeadLetter.SOURCE, source.operator);
    added.put(DeadLetter.TASK, source.task.toString());
    added.put(DeadLetter.TIME, time(due.time()));
    Window window = due.window();
    if (window != null) {
      added.put(DeadLetter.WINDOW, window.start() + "/" + window.end());
    }
    added.put(DeadLetter.OPERATOR, failed.operator);
    added.put(DeadLetter.CAUSE, failed.cause);
    end(out, new Bytes(), added);
  }

  /// An event time as text.
  static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /// The operator that was to make what failed, and its task.
  record Source(Plan.TaskId task, String operator) {}

  private static void end(RecordBatch out, Bytes headers, Map<String, String> added) {
    int start = out.data().length();
    Headers.begin(Headers.count(headers) + added.size(), out.data());
    Headers.visit(headers, (name, value) -> Headers.write(name, value, out.data()));
    added.forEach(
        (name, value) -> Headers.write(name, value.getBytes(StandardCharsets.UTF_8), out.data()));
    out.endHeaders(start);
  }
}

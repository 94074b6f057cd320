package dev.millrace.internal.engine.failure;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.DeadLetter;
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
  /// How much of a cause is told.
  private static final int LONGEST_CAUSE = 2_000;

  /// Why something became a dead letter.
  record Failed(String operator, String cause) {
    private String shortCause() {
      return cause.length() <= LONGEST_CAUSE ? cause : cause.substring(0, LONGEST_CAUSE) + " …";
    }
  }

  /// A record: original key, value and headers, and where and why it failed as further headers.
  ///
  /// @param time its event time, or what its topic has for that
  /// @param millis what the clock shows
  void record(RecordBatch batch, int index, long time, Failed failed, long millis, Outbox outbox) {
    Bytes key = batch.hasKey(index) ? batch.key(index, new Bytes()) : null;
    Bytes value = batch.hasValue(index) ? batch.value(index, new Bytes()) : null;
    Bytes headers = batch.headers(index, new Bytes());
    Map<String, String> added = new LinkedHashMap<>();
    added.put(DeadLetter.TOPIC, batch.split().stream());
    added.put(DeadLetter.PARTITION, Integer.toString(batch.split().partition()));
    added.put(DeadLetter.OFFSET, Long.toString(batch.offset(index)));
    added.put(DeadLetter.TIMESTAMP, Long.toString(time));
    added.put(DeadLetter.OPERATOR, failed.operator);
    added.put(DeadLetter.CAUSE, failed.shortCause());
    write(key, value, headers, added, millis, outbox);
  }

  /// Something that failed without a record at hand.
  ///
  /// @param value what the operator kept of it; null if there is none
  /// @param millis what the clock shows
  void due(
      Due due, @Nullable Bytes value, Source source, Failed failed, long millis, Outbox outbox) {
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
    added.put(DeadLetter.CAUSE, failed.shortCause());
    write(due.key(), value, new Bytes(), added, millis, outbox);
  }

  /// An event time as text.
  static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /// The operator that was to make what failed, and its task.
  record Source(Plan.TaskId task, String operator) {}

  /// Writes a letter; of one that the topic would not take, only where it came from and why.
  private void write(
      @Nullable Bytes key,
      @Nullable Bytes value,
      Bytes headers,
      Map<String, String> added,
      long millis,
      Outbox outbox) {
    RecordBatch out = outbox.append(topic, 0, millis);
    int bytes = length(key) + length(value) + headers.length();
    boolean whole = (long) bytes + most(added) <= outbox.limit(topic);
    if (whole && key != null) {
      out.key(key.array(), key.offset(), key.length());
    }
    if (whole && value != null) {
      out.value(value.array(), value.offset(), value.length());
    }
    if (!whole) {
      added.put(DeadLetter.LEFT_OUT, Integer.toString(bytes));
    }
    Bytes kept = whole ? headers : new Bytes();
    int start = out.data().length();
    Headers.begin(Headers.count(kept) + added.size(), out.data());
    Headers.visit(kept, (name, text) -> Headers.write(name, text, out.data()));
    added.forEach(
        (name, text) -> Headers.write(name, text.getBytes(StandardCharsets.UTF_8), out.data()));
    out.endHeaders(start);
  }

  /// What headers take at most: a character three bytes, and lengths some more.
  private static int most(Map<String, String> headers) {
    int bytes = 0;
    for (Map.Entry<String, String> each : headers.entrySet()) {
      bytes += 10 + each.getKey().length() + 3 * each.getValue().length();
    }
    return bytes;
  }

  private static int length(@Nullable Bytes bytes) {
    return bytes == null ? 0 : bytes.length();
  }
}

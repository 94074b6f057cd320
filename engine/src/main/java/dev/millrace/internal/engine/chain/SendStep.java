package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where rows leave the task, to a sink or an exchange: the only place where they become bytes.
/// What did not change is copied. What is taken back goes on through an exchange; a sink may want
/// to know only what takes its place.
final class SendStep extends Step {

  private final Outbox.Stream to;
  private final Keys keys;
  private final boolean readsValues;
  private final Serde<Object> valueSerde;
  private final @Nullable Object deletion;

  /// What is written, where it is not as it came; null if it always is.
  private final @Nullable RecordHeaders headers;

  /// Whether values are partly in the headers.
  private final boolean usesHeaders;

  private final Setting sets;

  private final int partitionWithoutKey;
  private final Retractions retractions;
  private final TimestampRule times;
  private final RecordLimit limit;
  private final Bytes key = new Bytes();
  private final Bytes view = new Bytes();

  /// What becomes of a row that takes back another.
  enum Retractions {
    /// It goes to the next stage.
    EXCHANGED,
    /// Readers get it with its old value.
    WRITTEN,
    /// Readers get what takes its place, or its key without a value if nothing does.
    REPLACED
  }

  /// Where rows go.
  ///
  /// @param partitionWithoutKey for rows without a key; -1 where each has one
  /// @param deletion the value that becomes a record without one; null if none does
  /// @param sets what is said of headers and timestamps
  /// @param limit of each record
  record Target(
      Outbox.Stream to,
      int partitionWithoutKey,
      Retractions retractions,
      @Nullable Object deletion,
      Setting sets,
      TimestampRule times,
      RecordLimit limit) {
    /// The topic of a sink.
    ///
    /// @param task its partition in its stage
    static Target sink(
        Outbox.Stream to,
        int task,
        boolean retractions,
        @Nullable Object deletion,
        Setting sets,
        TimestampRule times,
        RecordLimit limit) {
      return new Target(
          to,
          task % to.partitions(),
          retractions ? Retractions.WRITTEN : Retractions.REPLACED,
          deletion,
          sets,
          times,
          limit);
    }
  }

  /// To a sink.
  static SendStep toSink(String name, Place place, Target target, Node.Output output) {
    Serde<Object> values = output.sink().valueSerde();
    Mapper<Object, Object> newKey = output.newKey();
    Serde<Object> reads = output.keySerde();
    if (newKey != null) {
      Keys made = Keys.made(newKey, output.newKeySerde());
      return new SendStep(name, place, target, made, true, values);
    }
    Keys own = reads == null ? Rows::key : Keys.rewritten(reads, output.newKeySerde());
    return new SendStep(name, place, target, own, target.sets.readsValues(), values);
  }

  /// To an exchange.
  static SendStep toExchange(
      Place place, Outbox.Stream to, Node.Exchange exchange, RecordLimit limit) {
    String name = Measured.name(exchange);
    Target target =
        new Target(
            to,
            -1,
            Retractions.EXCHANGED,
            null,
            Setting.nothing(),
            TimestampRule.ofExchange(),
            limit);
    Mapper<Object, Object> newKey = exchange.key();
    Serde<Object> reads = exchange.reads();
    if (newKey != null) {
      Keys made = Keys.made(newKey, exchange.keySerde());
      return new SendStep(name, place, target, made, true, exchange.valueSerde());
    }
    Keys own = reads == null ? Rows::key : Keys.rewritten(reads, exchange.keySerde());
    return new SendStep(name, place, target, Keys.required(own), false, exchange.valueSerde());
  }

  private SendStep(
      String name,
      Place place,
      Target target,
      Keys keys,
      boolean readsValues,
      Serde<Object> valueSerde) {
    super(name, place);
    to = target.to;
    partitionWithoutKey = target.partitionWithoutKey;
    retractions = target.retractions;
    deletion = target.deletion;
    times = target.times;
    limit = target.limit;
    this.keys = keys;
    this.readsValues = readsValues;
    this.valueSerde = valueSerde;
    sets = target.sets;
    usesHeaders = isTopic() && valueSerde.usesHeaders();
    headers = usesHeaders || sets.setsHeaders() ? new RecordHeaders() : null;
  }

  private boolean isTopic() {
    return retractions != Retractions.EXCHANGED;
  }

  @Override
  void apply(Rows rows) {
    times.begin();
    // What a value has in the headers is not to be lost where these are set.
    boolean copies = rows.copies(valueSerde, isTopic()) && !(usesHeaders && sets.setsHeaders());
    if (readsValues || !copies) {
      rows.values(); // decoded here, so that a value that cannot be read is named
    }
    boolean replaces = retractions == Retractions.REPLACED && rows.anyRetractions();
    @Nullable Replacements replacements = replaces ? new Replacements(rows) : null;
    int left = rows.size();
    for (int row = 0, size = rows.size(); row < size; row++) {
      rows.current = row;
      boolean hasKey = keys.find(rows, row, key);
      if (replacements != null && rows.isRetraction(row)) {
        if (!replacements.writeUnlessReplaced(row, hasKey)) {
          left--;
        }
        continue;
      }
      int partition = hasKey ? Partitioner.partition(key, to.partitions()) : partitionWithoutKey;
      long timestamp = times.of(time(rows, row));
      RecordBatch batch = to.batch(partition);
      int before = batch.data().length();
      batch.append(batch.size(), timestamp);
      if (hasKey) {
        batch.key(key.array(), key.offset(), key.length());
      }
      if (copies) {
        if (rows.valueBytes(row, view)) {
          limit.require(batch.data().length() - before + view.length());
          batch.value(view.array(), view.offset(), view.length());
        }
        writeHeaders(rows, row, hasKey, batch);
      } else if (isDeletion(rows, row)) {
        requireKey(hasKey);
        writeHeaders(rows, row, hasKey, batch);
      } else {
        writeValue(rows, row, hasKey, batch);
      }
      limit.require(batch.data().length() - before);
    }
    gave(left);
  }

  private boolean isDeletion(Rows rows, int row) {
    return deletion != null && deletion.equals(rows.value(row));
  }

  /// What the record's timestamp follows from.
  private long time(Rows rows, int row) {
    return sets.setsTimestamps() && !isDeletion(rows, row)
        ? sets.timestamp(Rows.given(rows.value(row)))
        : rows.timestamp(row);
  }

  private void writeHeaders(Rows rows, int row, boolean hasKey, RecordBatch batch) {
    if (sets.setsHeaders() && headers != null) {
      beginHeaders(headers, rows, row, hasKey);
      endHeaders(headers, rows, row, batch);
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

  /// Those that the row has, and what the application makes of them.
  private void beginHeaders(RecordHeaders begun, Rows rows, int row, boolean hasKey) {
    rows.headers(row, begun);
    sets.setHeaders(rows, row, hasKey ? key : null, begun);
  }

  private void endHeaders(RecordHeaders complete, Rows rows, int row, RecordBatch batch) {
    if (retractions == Retractions.WRITTEN && rows.isRetraction(row)) {
      complete.add(Retraction.HEADER, null);
    }
    BytesWriter data = batch.data();
    int start = data.length();
    Headers.write(complete, data);
    batch.endHeaders(start);
  }

  private static void requireKey(boolean hasKey) {
    if (!hasKey) {
      throw new SerdeException(
          "A record without a value deletes its key, but this one has no key. Give it one with"
              + " groupBy(name, key).stream(), or filter it out before.");
    }
  }

  /// Takes no more memory than a record may. What the serde says of the headers is written, too.
  private void writeValue(Rows rows, int row, boolean hasKey, RecordBatch batch) {
    BytesWriter data = batch.data();
    int start = data.length();
    data.limit(start + limit.bytes());
    try {
      Object value = Rows.given(rows.values()[row]);
      if (usesHeaders && headers != null) {
        beginHeaders(headers, rows, row, hasKey);
        valueSerde.write(value, headers, data);
      } else {
        valueSerde.write(value, data);
      }
    } catch (SerdeException e) {
      throw data.isAtLimit() ? limit.exceeded("more than " + limit.bytes()) : e;
    } finally {
      data.limit(Integer.MAX_VALUE); // the batch may be cut and written on
    }
    batch.endValue(start);
    if (usesHeaders && headers != null) {
      endHeaders(headers, rows, row, batch);
    } else {
      writeHeaders(rows, row, hasKey, batch);
    }
  }

  /// What takes the place of rows that are taken back: a later row with the same key.
  private final class Replacements {
    private final Rows rows;

    /// By key, the last row that takes back none.
    private final Map<Bytes, Integer> lastRows = new HashMap<>();

    Replacements(Rows rows) {
      this.rows = rows;
      for (int row = 0, size = rows.size(); row < size; row++) {
        if (!rows.isRetraction(row) && keys.find(rows, row, key)) {
          lastRows.put(key.copy(), row);
        }
      }
    }

    /// Without a key there is nobody to tell that a record does not hold any more.
    ///
    /// @return whether a record was written
    boolean writeUnlessReplaced(int row, boolean hasKey) {
      boolean writes = hasKey && lastRows.getOrDefault(key, -1) < row;
      if (writes) {
        long timestamp = times.of(rows.timestamp(row));
        RecordBatch batch = to.batch(Partitioner.partition(key, to.partitions()));
        batch.append(batch.size(), timestamp);
        batch.key(key.array(), key.offset(), key.length());
        if (sets.setsHeaders()) {
          writeHeaders(rows, row, true, batch);
        }
      }
      return writes;
    }
  }
}

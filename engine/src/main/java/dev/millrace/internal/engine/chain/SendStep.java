package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.chain.SendTarget.Retractions;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.RecordBatch;
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

  /// Whether values are partly in the headers.
  private final boolean usesHeaders;

  private final SentHeaders headers;
  private final Setting sets;

  private final int partitionWithoutKey;
  private final Retractions retractions;
  private final TimestampRule times;
  private final RecordLimit limit;
  private final Bytes key = new Bytes();
  private final Bytes view = new Bytes();

  SendStep(
      String name,
      Place place,
      SendTarget target,
      Keys keys,
      boolean readsValues,
      Serde<Object> valueSerde) {
    super(name, place);
    to = target.to();
    partitionWithoutKey = target.partitionWithoutKey();
    retractions = target.retractions();
    deletion = target.deletion();
    times = target.times();
    limit = target.limit();
    this.keys = keys;
    this.readsValues = readsValues;
    this.valueSerde = valueSerde;
    sets = target.sets();
    usesHeaders = isTopic() && valueSerde.usesHeaders();
    headers = new SentHeaders(retractions, sets);
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
    @Nullable Replacements replacements = replaces ? new Replacements(rows, keys) : null;
    int left = rows.size();
    for (int row = 0, size = rows.size(); row < size; row++) {
      rows.current = row;
      boolean hasKey = keys.find(rows, row, key);
      if (replacements != null && rows.isRetraction(row)) {
        if (hasKey && replacements.lacks(row, key)) {
          writeDeletion(rows, row);
        } else {
          left--; // without a key there is nobody to tell that a record does not hold any more
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
        headers.write(rows, row, hasKey ? key : null, batch);
      } else if (isDeletion(rows, row)) {
        requireKey(hasKey);
        headers.write(rows, row, hasKey ? key : null, batch);
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
      if (usesHeaders) {
        valueSerde.write(value, headers.begin(rows, row, hasKey ? key : null), data);
      } else {
        valueSerde.write(value, data);
      }
    } catch (SerdeException e) {
      throw data.isAtLimit() ? limit.exceeded("more than " + limit.bytes()) : e;
    } finally {
      data.limit(Integer.MAX_VALUE); // the batch may be cut and written on
    }
    batch.endValue(start);
    if (usesHeaders) {
      headers.end(rows, row, batch);
    } else {
      headers.write(rows, row, hasKey ? key : null, batch);
    }
  }

  /// Writes that nothing holds any more for the key of a row that is taken back.
  private void writeDeletion(Rows rows, int row) {
    long timestamp = times.of(rows.timestamp(row));
    RecordBatch batch = to.batch(Partitioner.partition(key, to.partitions()));
    batch.append(batch.size(), timestamp);
    batch.key(key.array(), key.offset(), key.length());
    if (sets.setsHeaders()) {
      headers.write(rows, row, key, batch);
    }
  }
}

package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.spi.Headers;
import dev.millrace.spi.Lending;
import dev.millrace.spi.RecordBatch;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// A batch on its way through a task: rows in columns.
///
/// A row stands for a record of the batch that was read (its origin), or for something an operator
/// made. Values are decoded when the first step asks for them, once for all steps; a value that was
/// not changed can be copied as bytes, and so can a key. Rows are reused: what is in them is valid
/// until the step that filled them runs again.
public final class Rows {
  /// The row's key is the origin's.
  static final int ORIGIN_KEY = -1;

  /// The row has no key.
  static final int NO_KEY = -2;

  private @Nullable RecordBatch batch;
  private @Nullable Serde<Object> valueSerde;
  private boolean decoded;

  /// Whether rows may have no value.
  private boolean lacksValues;

  /// Whether values were written with headers; then the serde needs these to read them.
  private boolean withHeaders;

  private boolean shared;
  private int size;
  private int[] origins = new int[64];
  private long[] timestamps = new long[64];
  private Object[] values = new Object[64];
  private int[] keyStarts = new int[64];
  private int[] keyLengths = new int[64];

  /// Which rows take back others; as long as the other columns once there are any.
  private boolean[] retractions = {};

  private boolean anyRetractions;
  private final BytesWriter ownKeys = new BytesWriter(64);
  private final Bytes view = new Bytes();
  private final RecordHeaders headers = new RecordHeaders();
  private final Bytes headerView = new Bytes();
  private final Lending lending = Lending.begin();

  /// Stands for the number of an operator where values are made of bytes for it.
  static final int DECODING = -2;

  /// The row a loop stands at; tells who failed.
  int current;

  /// Whether values are made of bytes; for those who look from another thread.
  private boolean decoding;

  /// Starts anew with rows that stand for records of a batch, values still bytes; each has one.
  public void startUndecoded(RecordBatch newBatch, Serde<Object> serde) {
    startUndecoded(newBatch, serde, false, false);
  }

  /// @param ofSource whether they are those of a source, and not of an exchange
  /// @param mayLackValues whether a record without a value is a row, too
  void startUndecoded(
      RecordBatch newBatch, Serde<Object> serde, boolean ofSource, boolean mayLackValues) {
    clear();
    decoding = false; // of a batch that failed
    lacksValues = mayLackValues;
    withHeaders = ofSource && serde.usesHeaders();
    batch = newBatch;
    valueSerde = serde;
    decoded = false;
  }

  /// Starts anew with rows whose values are objects made by an operator from rows of `from`.
  public void startMade(@Nullable Rows from) {
    clear();
    batch = from == null ? null : from.batch;
    valueSerde = null;
    decoded = true;
  }

  /// Starts anew with some of the rows of `from`, unchanged, decoded.
  void startSelected(Rows from) {
    clear();
    batch = from.batch;
    valueSerde = from.valueSerde;
    withHeaders = from.withHeaders;
    decoded = true;
  }

  private void clear() {
    end();
    // Objects of the last batch are let go of.
    Arrays.fill(values, 0, size, null);
    shared = false;
    lacksValues = false;
    withHeaders = false;
    size = 0;
    current = 0;
    anyRetractions = false;
    ownKeys.clear();
  }

  /// What was read of the rows is valid no more.
  void end() {
    lending.end();
  }

  /// What a serde makes of bytes of a row.
  Object read(Serde<Object> serde, Bytes bytes) {
    return lending.read(serde, bytes);
  }

  private int grow() {
    if (size == origins.length) {
      int capacity = size * 2;
      origins = Arrays.copyOf(origins, capacity);
      timestamps = Arrays.copyOf(timestamps, capacity);
      Object[] moreValues = new Object[capacity];
      System.arraycopy(values, 0, moreValues, 0, size);
      values = moreValues;
      keyStarts = Arrays.copyOf(keyStarts, capacity);
      keyLengths = Arrays.copyOf(keyLengths, capacity);
    }
    if (anyRetractions && retractions.length < origins.length) {
      retractions = Arrays.copyOf(retractions, origins.length);
    }
    return size++;
  }

  /// Adds a record of the origin, its value still bytes.
  public void addOrigin(int index, long timestamp) {
    int row = grow();
    origins[row] = index;
    timestamps[row] = timestamp;
    keyStarts[row] = ORIGIN_KEY;
  }

  /// Keeps only some of the rows, all of which stand for records of the origin.
  void retain(IntPredicate origin) {
    int kept = 0;
    for (int row = 0; row < size; row++) {
      if (origin.test(origins[row])) {
        origins[kept] = origins[row];
        timestamps[kept] = timestamps[row];
        values[kept] = values[row];
        kept++;
      }
    }
    Arrays.fill(values, kept, size, null);
    size = kept;
  }

  /// Adds a row of `from` as it is.
  ///
  /// @param value what its value is as an object
  void addSelected(Rows from, int index, Object value) {
    int row = grow();
    origins[row] = from.origins[index];
    timestamps[row] = from.timestamps[index];
    values[row] = value;
    copyKey(from, index, row);
    if (from.isRetraction(index)) {
      retract();
    }
  }

  /// A value that leaves the functions it may be null between.
  static Object given(@Nullable Object value) {
    if (value == null) {
      throw new SerdeException(
          "The value is null, because a function before it returned null. It can be neither stored"
              + " nor sent. Drop such records with filter, or use flatMap.");
    }
    return value;
  }

  /// Adds a row with a new value, from row `index` of `from`; a retraction if that is one.
  void addMade(Rows from, int index, Object value, long timestamp, boolean keepsKey) {
    addResult(from, index, value, timestamp, keepsKey);
    if (from.isRetraction(index)) {
      retract();
    }
  }

  /// Adds a row with a new value, from row `index` of `from`, whatever that one is.
  void addResult(Rows from, int index, Object value, long timestamp, boolean keepsKey) {
    int row = grow();
    origins[row] = from.origins[index];
    timestamps[row] = timestamp;
    values[row] = value;
    if (keepsKey) {
      copyKey(from, index, row);
    } else {
      keyStarts[row] = NO_KEY;
    }
  }

  /// Adds a row with a key of its own that stands for no record.
  ///
  /// @param origin what it comes from instead; see [ResultOrigins#origin]
  void addOwn(@Nullable Bytes key, Object value, long timestamp, int origin) {
    int row = grow();
    origins[row] = origin;
    timestamps[row] = timestamp;
    values[row] = value;
    ownKey(key, row);
  }

  /// Says that the row that was added last takes back another.
  void retract() {
    if (!anyRetractions) {
      anyRetractions = true;
      retractions = new boolean[origins.length];
    }
    retractions[size - 1] = true;
  }

  private void copyKey(Rows from, int index, int row) {
    int start = from.keyStarts[index];
    if (start >= 0) {
      ownKey(from.view.set(from.ownKeys.array(), start, from.keyLengths[index]), row);
    } else {
      keyStarts[row] = start;
    }
  }

  private void ownKey(@Nullable Bytes key, int row) {
    if (key == null) {
      keyStarts[row] = NO_KEY;
    } else {
      keyStarts[row] = ownKeys.length();
      keyLengths[row] = key.length();
      ownKeys.write(key);
    }
  }

  public int size() {
    return size;
  }

  /// The batch that the rows come from; null if they come from timers and windows.
  public @Nullable RecordBatch batch() {
    return batch;
  }

  /// The record of the batch that a row stands for; negative if it stands for none.
  public int origin(int row) {
    return origins[row];
  }

  /// Whether a row takes back another.
  boolean isRetraction(int row) {
    return anyRetractions && retractions[row];
  }

  /// Whether any row takes back another.
  boolean anyRetractions() {
    return anyRetractions;
  }

  /// The row's event time, in milliseconds since 1970 (UTC).
  public long timestamp(int row) {
    return timestamps[row];
  }

  void timestamp(int row, long timestamp) {
    timestamps[row] = timestamp;
  }

  /// The values as objects; entries from [#size] on are meaningless.
  Object[] values() {
    if (!decoded) {
      decode();
    }
    return values;
  }

  /// One of the values, once they are decoded.
  Object value(int row) {
    return values[row];
  }

  /// Puts another value in the place of one, once they are decoded.
  void replace(int row, Object value) {
    values[row] = value;
  }

  /// Says that several steps read these rows, so that none of them decodes for itself.
  void share() {
    shared = true;
  }

  /// One of the values for the only step that reads them, decoded for it at each call if it was not
  /// before.
  Object valueAlone(int row) {
    if (decoded || shared) {
      return values()[row];
    }
    decoding = true;
    Object value = decode(row, Objects.requireNonNull(valueSerde));
    decoding = false;
    return value;
  }

  /// Whether a row has a value; always, but for records of a table.
  boolean hasValue(int row) {
    return !lacksValues || origin().hasValue(origins[row]);
  }

  /// Checks that all records have values, unless they may lack them, those too that nobody will
  /// look at: what becomes of one without must not depend on what is behind.
  ///
  /// @throws SerdeException if one has none; [#current] says which
  void requireValues() {
    if (lacksValues) {
      return;
    }
    RecordBatch from = origin();
    for (int row = 0; row < size; row++) {
      if (!from.hasValue(origins[row])) {
        current = row;
        throw new SerdeException(
            "The record has no value: it deletes its key. topology.from(...) reads such records"
                + " only with withDeletions(); topology.table(...) reads topics that delete keys.");
      }
    }
    current = 0;
  }

  /// Decodes all values, and puts one in the place of those that are lacking.
  ///
  /// @param deletion that one; null if nothing is to be done
  void putDeletions(@Nullable Object deletion) {
    if (deletion == null) {
      return;
    }
    values();
    for (int row = 0; row < size; row++) {
      if (!hasValue(row)) {
        values[row] = deletion;
      }
    }
    lacksValues = false;
    current = 0;
  }

  /// Whether a function gave null for a row's value.
  boolean isNull(int row) {
    return decoded && values[row] == null && !lacksValues;
  }

  private void decode() {
    Serde<Object> serde = Objects.requireNonNull(valueSerde);
    decoding = true;
    for (int row = 0; row < size; row++) {
      current = row;
      if (hasValue(row)) {
        values[row] = decode(row, serde);
      }
    }
    decoding = false;
    decoded = true;
  }

  /// Whether values are made of bytes at the moment. Called by any thread.
  boolean isDecoding() {
    return decoding;
  }

  /// What a serde makes of the bytes of a value, which must be there.
  Object decode(int row, Serde<Object> serde) {
    RecordBatch from = origin();
    Bytes value = from.value(origins[row], view);
    if (!withHeaders) {
      return read(serde, value);
    }
    headers(row, headers);
    return lending.read(serde, value, headers);
  }

  private RecordBatch origin() {
    return Objects.requireNonNull(batch, "These rows stand for no records.");
  }

  /// Whether the values are bytes of the batch that `serde` would write again.
  ///
  /// @param toTopic whether it would write them with headers, if it uses any
  @SuppressWarnings("ReferenceEquality") // the same object or another serde
  boolean copies(Serde<?> serde, boolean toTopic) {
    return valueSerde == serde && withHeaders == (toTopic && serde.usesHeaders());
  }

  /// Moves `to` over the key's bytes; false if the row has no key.
  boolean key(int row, Bytes to) {
    int start = keyStarts[row];
    if (start >= 0) {
      to.set(ownKeys.array(), start, keyLengths[row]);
      return true;
    }
    if (start == NO_KEY || !origin().hasKey(origins[row])) {
      return false;
    }
    origin().key(origins[row], to);
    return true;
  }

  /// Moves `to` over the value's bytes in the batch; false if the record has no value.
  boolean valueBytes(int row, Bytes to) {
    if (!origin().hasValue(origins[row])) {
      return false;
    }
    origin().value(origins[row], to);
    return true;
  }

  /// Moves `to` over the headers; false if there are none, as with every retraction.
  boolean headers(int row, Bytes to) {
    int index = origins[row];
    if (index < 0 || isRetraction(row) || !origin().hasHeaders(index)) {
      return false;
    }
    origin().headers(index, to);
    return true;
  }

  /// Puts the headers in the place of those in `to`; none if it is a retraction.
  void headers(int row, RecordHeaders to) {
    to.clear();
    if (headers(row, headerView)) {
      Headers.read(headerView, to);
    }
  }
}

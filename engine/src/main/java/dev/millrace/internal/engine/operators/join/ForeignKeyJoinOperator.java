package dev.millrace.internal.engine.operators.join;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.KeyedValue;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.Reference;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.Changes;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Panes;
import dev.millrace.internal.engine.operators.rows.Timers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Joins the entries of a table, its first input, with the entry of another, its second, that each
/// refers to. Both come under the key referred to; those of the first are [Reference]s, the results
/// [KeyedValue]s.
///
/// A change of the second table changes the results of all entries that refer to it, once for all
/// rows of a batch. What was referred to is noted, so that an entry that nobody refers to, as while
/// the second table is read, is not looked for among those that refer to any: that is a range of
/// their keys, in each layer of the store.
public final class ForeignKeyJoinOperator implements Operator {
  private final StoreSpec<Bytes, Object> referringSpec;
  private final StoreSpec<Bytes, Object> referredSpec;
  private final StoreSpec<Bytes, Boolean> notedSpec;
  private final Serde<Object> keySerde;
  private final JoinFunction joiner;
  private final BytesWriter placeWriter = new BytesWriter(64);
  private final Bytes placeView = new Bytes();
  private final Changes changes = new Changes(this::referred);
  private @Nullable KeyValueStore<Bytes, Object> referring;
  private @Nullable KeyValueStore<Bytes, Object> referred;

  /// The keys to which an entry refers or has referred.
  private @Nullable KeyValueStore<Bytes, Boolean> noted;

  private ForeignKeyJoinOperator(
      StoreSpec<Bytes, Object> referringSpec,
      StoreSpec<Bytes, Object> referredSpec,
      StoreSpec<Bytes, Boolean> notedSpec,
      Serde<Object> keySerde,
      JoinFunction joiner) {
    this.referringSpec = referringSpec;
    this.referredSpec = referredSpec;
    this.notedSpec = notedSpec;
    this.keySerde = keySerde;
    this.joiner = joiner;
  }

  /// The operator as a topology carries it.
  ///
  /// @param foreignKeys of the rows
  /// @param keys of the referring table's entries
  /// @param values of the referring table and of the other
  /// @param joiner gets both values, the second null if there is none; an entry for which it
  ///   returns null has no result
  public static Declaration declare(
      String name,
      Serde<Object> foreignKeys,
      Serde<Object> keys,
      List<Serde<Object>> values,
      JoinFunction joiner) {
    StoreSpec<Bytes, Object> referring =
        StoreSpec.keyValue(
                name, new KeyBytesSerde("key+" + keys.id() + " ", foreignKeys), values.get(0))
            .withRanges();
    StoreSpec<Bytes, Object> referred =
        KeyBytesSerde.plain(foreignKeys).spec(name + "-referred", values.get(1));
    StoreSpec<Bytes, Boolean> noted =
        KeyBytesSerde.plain(foreignKeys).spec(name + "-referred-to", new Timers.Mark());
    return new Declaration(
        () -> new ForeignKeyJoinOperator(referring, referred, noted, keys, joiner),
        List.of(referring, referred, noted),
        Parameters.of("foreign key join"),
        Declaration.FOREVER);
  }

  @Override
  public void open(OperatorContext context) {
    referring = context.store(referringSpec);
    referred = context.store(referredSpec);
    noted = context.store(notedSpec);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    throw new IllegalStateException("A join has several inputs.");
  }

  @Override
  public void process(int input, RowCursor rows, RowSink out) {
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      if (input == 0) {
        refer(key, rows, out);
      } else {
        change(key, rows);
      }
    }
    changes.show((key, before, now, timestamp) -> apply(key, before, now, timestamp, out));
  }

  private void refer(Bytes key, RowCursor row, RowSink out) {
    Reference reference = (Reference) row.value();
    KeyedValue keyed = reference.entry();
    Object value = keyed.value() instanceof Bytes view ? view.copy() : keyed.value();
    if (!reference.refers()) {
      send(key, keyed.key(), value, null, row.isRetraction(), row.timestamp(), out);
      return;
    }
    Bytes place = place(key, keyed.key());
    if (!row.isRetraction()) {
      Opened.store(referring).put(place, value);
      if (Opened.store(noted).get(key) == null) {
        Opened.store(noted).put(key, true);
      }
    } else if (Opened.store(referring).get(place) == null) {
      throw Panes.nothingToTakeBack();
    } else {
      Opened.store(referring).delete(place);
    }
    Object other = referred(key);
    send(key, keyed.key(), value, other, row.isRetraction(), row.timestamp(), out);
  }

  private @Nullable Object referred(Bytes key) {
    return Opened.store(referred).get(key);
  }

  private void change(Bytes key, RowCursor row) {
    changes.before(key, row.timestamp());
    if (row.isRetraction()) {
      Opened.store(referred).delete(key);
    } else {
      Opened.store(referred).put(key, Opened.value(row));
    }
  }

  private void apply(
      Bytes key, @Nullable Object before, @Nullable Object now, long timestamp, RowSink out) {
    if (Opened.store(noted).get(key) == null) {
      return;
    }
    List<KeyedValue> all = referringTo(key);
    for (KeyedValue each : all) {
      send(key, each.key(), each.value(), before, true, timestamp, out);
      send(key, each.key(), each.value(), now, false, timestamp, out);
    }
    if (all.isEmpty()) {
      Opened.store(noted).delete(key);
    }
  }

  private List<KeyedValue> referringTo(Bytes key) {
    Bytes prefix = prefix(key).copy();
    List<KeyedValue> all = new ArrayList<>();
    Opened.store(referring)
        .range(
            prefix,
            null,
            (place, value) -> {
              boolean same = startsWith(place, prefix);
              if (same) {
                all.add(new KeyedValue(keyOf(place, prefix.length()), value));
              }
              return same;
            });
    return all;
  }

  private static boolean startsWith(Bytes place, Bytes prefix) {
    if (place.length() < prefix.length()) {
      return false;
    }
    return new Bytes().set(place.array(), place.offset(), prefix.length()).equals(prefix);
  }

  private Object keyOf(Bytes place, int prefixLength) {
    Bytes own =
        new Bytes()
            .set(place.array(), place.offset() + prefixLength, place.length() - prefixLength);
    return keySerde.read(own.copy());
  }

  private void send(
      Bytes foreignKey,
      Object key,
      Object value,
      @Nullable Object other,
      boolean goes,
      long timestamp,
      RowSink out) {
    Object result = joiner.join(value, other);
    if (result == null) {
      return;
    }
    if (goes) {
      out.retract(foreignKey, new KeyedValue(key, result), timestamp);
    } else {
      out.emit(foreignKey, new KeyedValue(key, result), timestamp);
    }
  }

  /// The place of an entry: the key it refers to, with its length before it, and its own.
  private Bytes place(Bytes foreignKey, Object key) {
    prefix(foreignKey);
    keySerde.write(key, placeWriter);
    return placeWriter.view(placeView, 0);
  }

  private Bytes prefix(Bytes foreignKey) {
    placeWriter.clear();
    placeWriter.writeInt(foreignKey.length());
    placeWriter.write(foreignKey);
    return placeWriter.view(placeView, 0);
  }

  @Override
  public Bytes entry(Object result) {
    return Opened.bytes(keySerde, ((KeyedValue) result).key());
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    referring = null;
    referred = null;
    noted = null;
  }
}

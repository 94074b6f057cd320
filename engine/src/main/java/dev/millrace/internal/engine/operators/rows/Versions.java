package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.TimeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a table had for a key at any event time, as far back as anybody may ask: the versions of a
/// key under their times, newest first, and those of one time in the order in which they came.
public final class Versions {
  /// Before all times.
  private static final long EARLIEST = Long.MIN_VALUE + 2;

  private final Spec spec;
  private final KeyTime keyTime = new KeyTime();
  private final TimeKey timeKey = new TimeKey();
  private @Nullable KeyValueStore<Bytes, Bag> versions;
  private @Nullable Notes notes;

  public Versions(Spec spec) {
    this.spec = spec;
  }

  /// The stores they take.
  ///
  /// @param notes of the times at which to let go of versions; null if that never happens
  /// @param format of the versions
  public record Spec(
      StoreSpec<Bytes, Bag> versions,
      @Nullable StoreSpec<Bytes, Boolean> notes,
      Version.Format format) {

    /// Versions that are let go of some time behind theirs.
    public static Spec of(String name, Serde<Object> keys, Serde<Object> values) {
      return lasting(name, keys, values).withNotes(Notes.spec(name + "-times", keys));
    }

    /// Versions that stay for ever.
    public static Spec lasting(String name, Serde<Object> keys, Serde<Object> values) {
      Version.Format format = new Version.Format(values);
      return new Spec(
          KeyBytesSerde.beforeTime(keys).spec(name, new Bag.Format(format)), null, format);
    }

    private Spec withNotes(StoreSpec<Bytes, Boolean> times) {
      return new Spec(versions, times, format);
    }

    public List<StoreSpec<?, ?>> all() {
      return notes == null ? List.of(versions) : List.of(versions, notes);
    }
  }

  public void open(OperatorContext context) {
    versions = context.store(spec.versions);
    notes = spec.notes == null ? null : new Notes(context.store(spec.notes));
  }

  public void close() {
    versions = null;
    notes = null;
  }

  /// The last time that nobody asks for any more, where whoever asks may be so late.
  public static long gone(long watermark, long latenessMillis) {
    return latenessMillis >= Declaration.FOREVER || watermark < Long.MIN_VALUE + latenessMillis + 1
        ? Long.MIN_VALUE
        : watermark - latenessMillis - 1;
  }

  /// The version that held at a time.
  public Version at(Bytes key, long time) {
    Version[] found = {Version.NONE};
    range(
        key,
        time,
        EARLIEST,
        (_, bag) -> {
          found[0] = last(bag);
          return false;
        });
    return found[0];
  }

  private Version last(Bag bag) {
    return (Version) bag.last(spec.format);
  }

  /// The time of the first version behind a time; `Long.MAX_VALUE` if there is none.
  public long nextAfter(Bytes key, long time) {
    long[] next = {Long.MAX_VALUE};
    range(
        key,
        Long.MAX_VALUE,
        time + 1,
        (place, _) -> {
          next[0] = -KeyTime.time(place);
          return true;
        });
    return next[0];
  }

  /// The values that a key had, one behind the other.
  public List<Object> all(Bytes key) {
    List<Bag> bags = new ArrayList<>();
    range(
        key,
        Long.MAX_VALUE,
        EARLIEST,
        (_, bag) -> {
          bags.add(bag);
          return true;
        });
    List<Object> all = new ArrayList<>();
    for (Bag bag : bags.reversed()) {
      for (Object version : bag.values(spec.format)) {
        all.add(Objects.requireNonNull(((Version) version).value(), "A row has no value."));
      }
    }
    return all;
  }

  /// Shows versions from a time back to an earlier one.
  private void range(
      Bytes key, long latest, long earliest, KeyValueStore.Visitor<Bytes, Bag> visitor) {
    Bytes first = keyTime.of(key, -latest).copy();
    Bytes behind = keyTime.of(key, -earliest + 1).copy();
    Opened.store(versions).range(first, behind, visitor);
  }

  /// A key has another version from a time on, in the place of what it had at that time.
  public void put(Bytes key, long time, Version version) {
    put(key, time, Bag.with(null, spec.format, version));
  }

  /// A key has one more version from a time on; what else it had at that time may come back.
  public void add(Bytes key, long time, Version version) {
    Bag before = Opened.store(versions).get(keyTime.of(key, -time));
    put(key, time, Bag.with(before, spec.format, version));
  }

  private void put(Bytes key, long time, Bag bag) {
    Opened.store(versions).put(keyTime.of(key, -time), bag);
    if (notes != null) {
      notes.put(timeKey.of(time, key));
    }
  }

  /// Takes a version out that was added before.
  ///
  /// @return whether it was there
  public boolean remove(Bytes key, long time, Version version) {
    Bytes place = keyTime.of(key, -time);
    Bag before = Opened.store(versions).get(place);
    Bag rest = before == null ? null : before.without(spec.format, version);
    if (rest == null) {
      return false;
    }
    if (rest.isEmpty()) {
      Opened.store(versions).delete(place);
    } else {
      Opened.store(versions).put(place, rest);
    }
    return true;
  }

  /// Takes a version out that was added at a time that is not known: the newest of those that are
  /// alike.
  ///
  /// @return whether there was any
  public boolean removeNewest(Bytes key, Version version) {
    long[] found = {Long.MIN_VALUE};
    range(
        key,
        Long.MAX_VALUE,
        EARLIEST,
        (place, bag) -> {
          boolean here = bag.without(spec.format, version) != null;
          if (here) {
            found[0] = -KeyTime.time(place);
          }
          return !here;
        });
    return found[0] != Long.MIN_VALUE && remove(key, found[0], version);
  }

  /// Lets go of versions that a newer one had replaced at a time.
  ///
  /// @return whether all are gone
  public boolean forget(long time, int budget) {
    return Opened.store(notes).take(time, budget, this::forgetBefore);
  }

  /// Of a key only the version that it had at that time is left, or none if it had no value.
  private void forgetBefore(Bytes key, long time) {
    List<Bytes> old = new ArrayList<>();
    List<Bag> bags = new ArrayList<>();
    range(
        key,
        time,
        EARLIEST,
        (place, bag) -> {
          old.add(place.copy());
          bags.add(bag);
          return true;
        });
    if (old.isEmpty()) {
      return; // all were taken back
    }
    Version version = last(bags.getFirst());
    if (version.value() != null) {
      Bytes stays = old.removeFirst();
      Bag alone = Bag.with(null, spec.format, version);
      if (!alone.equals(bags.getFirst())) {
        Opened.store(versions).put(stays, alone);
      }
    }
    old.forEach(Opened.store(versions)::delete);
  }
}

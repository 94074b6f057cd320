package dev.millrace.internal.state;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.LongSerde;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.state.cache.CacheRows;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layers;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A store of a task, which caches keys and values as objects above the task's layers.
///
/// A get after a put returns the object that was put, until it is committed and then dropped from
/// the cache; or an equal object, if values have a small fixed length ([Serde#fixedBytes]), because
/// those are kept as bytes. Keys given as views are copied when they enter the cache; values that
/// are [Bytes] are always copied. Entries of [#range] are decoded for the visitor and not cached;
/// [Bytes] are valid there only during the call. The visitor may read all stores and open further
/// ranges.
///
/// An object that was changed in place before its put failed stays changed: to continue without the
/// record that failed, call [TaskState#rollBack] first.
///
/// Not every value that is too large is rejected when it is put; see [ValueSizes]. The commit
/// rejects the others: see [RefusedAtCommitException], which a put or delete may also throw for the
/// key's last value.
public final class CachedStore<K, V> implements KeyValueStore<K, V> {
  private final String task;
  private final ObjectCache cache;
  private final Layers layers;
  private final CommitEncoder commits;
  private final StoreClock clock;
  private final int number;
  private final StoreSpec<K, V> spec;
  private final StoreKeys<K> keys;
  private final Serde<V> valueSerde;
  private final boolean ordered;

  /// How long values live after they were put; 0 for ever.
  private final long timeToLiveMillis;

  /// How many bytes each value has if they are kept as bytes; 0 if they are kept as objects.
  private final int smallBytes;

  /// If values are numbers.
  private final @Nullable LongSerde longs;

  private final Bytes small = new Bytes();
  private final Bytes entryKey = new Bytes();

  private final ValueSizes sizes;
  private final ValueEncoder<V> encoder;
  private final EntryDecoder<K, V> decoder;
  private final EntryLoader<V> loader;
  private final RangeReader<K, V> ranges;

  /// The entry of the last [#find]. It may have left the cache since, or be that of another key:
  /// [#replace] looks at its key before it uses it.
  private int found = ByteTable.NONE;

  /// @param mostBytes of a value
  CachedStore(StoreContext context, int number, StoreSpec<K, V> spec, int mostBytes) {
    task = context.task();
    cache = context.cache();
    layers = context.layers();
    commits = context.commits();
    clock = context.clock();
    this.number = number;
    this.spec = spec;
    keys = new StoreKeys<>(cache, number, spec.keySerde());
    valueSerde = spec.valueSerde();
    ordered = spec.ranges();
    Duration timeToLive = spec.timeToLive();
    timeToLiveMillis = timeToLive == null ? 0 : timeToLive.toMillis();
    sizes = new ValueSizes(spec.name(), task, context.limits(), mostBytes);
    encoder = new ValueEncoder<>(context, spec, sizes);
    decoder = new EntryDecoder<>(spec, task);
    int fixed = valueSerde.fixedBytes();
    smallBytes = fixed <= CacheRows.SMALL_VALUE_BYTES ? fixed : 0;
    longs = smallBytes > 0 && valueSerde instanceof LongSerde numbers ? numbers : null;
    loader = new EntryLoader<>(context, keys, sizes, encoder, decoder, smallBytes);
    ranges = new RangeReader<>(this, context, keys, decoder);
  }

  @Override
  public @Nullable V get(K key) {
    Bytes full = keys.encode(key);
    int hash = ByteTable.hash(full);
    int entry = cache.find(hash, full);
    if (entry != ByteTable.NONE) {
      cache.hit(entry);
      return visible(entry);
    }
    V value = visible(loader.load(hash, full));
    cache.evict();
    return value;
  }

  private @Nullable V visible(int entry) {
    return cache.isThere(entry) && !isExpired(entry) ? cached(entry) : null;
  }

  /// Returns whether values are numbers to which [#add] adds.
  public boolean holdsLongs() {
    return longs != null;
  }

  /// Adds to the number of a key, as a get and a put would, without creating an object. A key
  /// without a value has 0.
  ///
  /// @param encoded the key by the store's serde
  /// @return the sum
  /// @throws IllegalStateException if values are no numbers; see [#holdsLongs]
  public long add(Bytes encoded, long change) {
    LongSerde numbers = longs;
    if (numbers == null) {
      throw new IllegalStateException("Store '%s' does not hold numbers.".formatted(spec.name()));
    }
    layers.requireNoVisitor("put");
    int entry = entryOf(encoded);
    commits.beforeChange(this, entry);
    long sum = change;
    if (cache.isThere(entry) && !isExpired(entry)) {
      sum += numbers.readLong(cache.small(entry, smallBytes, small));
    }
    BytesWriter written = encoder.begin();
    numbers.writeLong(sum, written);
    if (written.length() > sizes.mostBytes()) {
      throw sizes.tooLarge(encoded, Integer.toString(written.length()));
    }
    setSmall(entry, written);
    return sum;
  }

  /// Returns the value of a key as [#get].
  ///
  /// @param encoded the key by the store's serde
  /// @throws EntryTooLargeException if the key exceeds its limit
  public @Nullable V find(Bytes encoded) {
    int entry = entryOf(encoded);
    found = entry;
    return visible(entry);
  }

  /// Sets the value of a key as [#put]. If it is the key of the last [#find], no search is needed.
  ///
  /// @param encoded the key by the store's serde
  /// @throws EntryTooLargeException if key or value exceed their limits; nothing has changed then
  /// @throws SerdeException if the serde cannot write the value; nothing has changed then
  public void replace(Bytes encoded, V value) {
    Objects.requireNonNull(value, "A value must not be null. Use delete(key) to remove it.");
    layers.requireNoVisitor("put");
    if (cache.holds(found, number, encoded)) {
      change(found, value);
      return;
    }
    sizes.requireKey(encoded);
    int hash = keys.hash(encoded);
    int entry = keys.find(hash, encoded);
    if (entry == ByteTable.NONE) {
      insert(hash, keys.withNumber(encoded), value);
    } else {
      change(entry, value);
    }
  }

  /// Returns the entry of a key, loaded if it was not there; whoever asked evicts.
  private int entryOf(Bytes encoded) {
    sizes.requireKey(encoded);
    int hash = keys.hash(encoded);
    int entry = keys.find(hash, encoded);
    if (entry != ByteTable.NONE) {
      cache.hit(entry);
      return entry;
    }
    return loader.load(hash, keys.withNumber(encoded));
  }

  /// @throws EntryTooLargeException if key or value exceed their limits; nothing has changed then
  /// @throws SerdeException if the serde cannot write the value; nothing has changed then
  @Override
  public void put(K key, V value) {
    Objects.requireNonNull(value, "A value must not be null. Use delete(key) to remove it.");
    layers.requireNoVisitor("put");
    Bytes full = encodeToWrite(key);
    putEncoded(ByteTable.hash(full), full, value);
  }

  private Bytes encodeToWrite(K key) {
    Bytes full = keys.encode(key);
    if (sizes.isKeyTooLarge(full.length() - StoreTable.NUMBER_BYTES)) {
      sizes.requireKey(StoreTable.withoutNumber(full));
    }
    return full;
  }

  /// Adds a value for a key that has no entry.
  private void insert(int hash, Bytes full, V value) {
    if (smallBytes > 0) {
      BytesWriter written = encoder.encode(value, full);
      int size = written.length();
      int entry = cache.addDirty(hash, full, ordered, ObjectCache.Small.VALUE, size);
      cache.small(entry, written.array(), valueStart(), smallBytes);
    } else {
      int size = measures(value) ? encoder.encode(value, full).length() : sizes.usual();
      cache.addDirty(hash, full, ordered, kept(value), size);
    }
    cache.evict();
  }

  /// See [OutdatedValues#find].
  @Nullable V outdated(Bytes full, Bytes encoded) {
    return OutdatedValues.find(decoder, encoder, full, encoded, small);
  }

  /// Sets the value of a key as [#put].
  ///
  /// @param full the key with the store's number
  void putEncoded(int hash, Bytes full, V value) {
    int entry = cache.find(hash, full);
    if (entry == ByteTable.NONE) {
      insert(hash, full, value);
    } else {
      change(entry, value);
    }
  }

  /// Changes the value of an entry.
  private void change(int entry, V value) {
    commits.beforeChange(this, entry);
    if (smallBytes > 0) {
      setSmall(entry, encoder.encode(value, cache.key(entry, entryKey)));
      return;
    }
    int size = measures(value) ? encoder.encode(value, cache.key(entry, entryKey)).length() : -1;
    cache.change(entry, ordered, kept(value), size, sizes.usual());
    cache.evict();
  }

  /// Sets the small value of an entry that is not frozen to what was written.
  private void setSmall(int entry, BytesWriter written) {
    if (!cache.isLiveInRow(entry)) {
      cache.change(entry, ordered, ObjectCache.Small.VALUE, written.length(), sizes.usual());
    }
    cache.small(entry, written.array(), valueStart(), smallBytes);
    cache.evict();
  }

  /// Returns whether a value that is kept as an object is encoded when it is put.
  private boolean measures(V value) {
    return value instanceof Bytes || sizes.measuresNext();
  }

  private static Object kept(Object value) {
    return value instanceof Bytes bytes ? bytes.copy() : value;
  }

  @Override
  public void delete(K key) {
    layers.requireNoVisitor("delete");
    deleteEncoded(encodeToWrite(key));
  }

  /// Deletes a key.
  ///
  /// @param full the key with the store's number
  void deleteEncoded(Bytes full) {
    int hash = ByteTable.hash(full);
    int entry = cache.find(hash, full);
    if (entry == ByteTable.NONE) {
      cache.addDirty(hash, full, ordered, null, 0);
    } else {
      commits.beforeChange(this, entry);
      cache.change(entry, ordered, null, 0, sizes.usual());
    }
    cache.evict();
  }

  @Override
  public void range(@Nullable K from, @Nullable K to, Visitor<K, V> visitor) {
    requireRanges();
    ranges.range(from, to, visitor);
  }

  void requireRanges() {
    if (!ordered) {
      throw new IllegalStateException(
          "Store '%s' cannot be read in ranges. Declare it with StoreSpec.withRanges()."
              .formatted(spec.name()));
    }
  }

  /// Returns a copy of the bytes that the serde wrote for a value; null if it has expired.
  @Nullable Bytes committedValue(Bytes key, Bytes encoded, long nowMillis) {
    return decoder.committedValue(key, encoded, nowMillis);
  }

  /// Announces that a key will be read, unless it is in memory; see [#loadWanted].
  ///
  /// @param key encoded by the store's serde; not kept
  public void want(Bytes key) {
    loader.want(key);
  }

  /// Reads the values of the wanted keys from disk together and caches them. A value that cannot be
  /// decoded is left to the get that reads it. If hardly any key is only on disk, it only
  /// prefetches the memory of the keys in the cache.
  public void loadWanted() {
    loader.loadWanted();
  }

  /// Returns whether the keys of the next batch should be asked for by [#want]. To be called once
  /// before each batch of gets: the answer follows from what the last ones met.
  public boolean wantsKeysAhead() {
    return loader.wantsKeysAhead();
  }

  String name() {
    return spec.name();
  }

  boolean ordered() {
    return ordered;
  }

  /// See [StoreTable#changeWhileFrozen].
  boolean changesWhileFrozen() {
    return !ordered && !expires() && !valuesChangeInPlace();
  }

  /// Returns whether an object may be changed that a get has returned.
  boolean valuesChangeInPlace() {
    return smallBytes == 0 && !valueSerde.immutable();
  }

  /// Sets a watcher of values that are near the limit.
  void watch(LargeValues watcher) {
    encoder.watch(watcher);
  }

  /// Returns a live value, encoded for a commit; valid until the task encodes another value.
  ///
  /// @param key its key with the store's number
  BytesWriter encodeLive(int entry, Bytes key) {
    boolean complete = false;
    try {
      BytesWriter written =
          smallBytes > 0 ? writeSmall(entry) : encoder.encode(inCache(entry), key);
      if (expires()) {
        cache.expiry(entry, clock.millis() + timeToLiveMillis);
      }
      complete = true;
      return written;
    } catch (SerdeException failure) {
      throw new SerdeException(
          "The value of key %s in store '%s' of task %s cannot be written: %s"
              .formatted(StoreTable.withoutNumber(key), spec.name(), task, failure.getMessage()),
          failure);
    } finally {
      if (!complete) {
        sizes.measureAll();
      }
    }
  }

  /// Returns whether values of the store expire.
  boolean expires() {
    return timeToLiveMillis > 0;
  }

  /// Returns how long values live; 0 for ever.
  long timeToLiveMillis() {
    return timeToLiveMillis;
  }

  /// Returns the index in an encoded value where the serde's bytes begin.
  int valueStart() {
    return expires() ? Expiry.BYTES : 0;
  }

  /// Returns whether an encoded value is there no more.
  boolean hasExpired(Bytes key, Bytes encoded) {
    return decoder.hasExpired(key, encoded, clock.millis());
  }

  /// Returns whether a clean entry with a value has expired. Live entries never have, because they
  /// were put at the present time of the clock.
  private boolean isExpired(int entry) {
    return expires() && !cache.isDirty(entry) && cache.isExpired(entry, clock.millis());
  }

  /// Returns the hash of an object's encoding.
  int fingerprint(Object value) {
    return encoder.fingerprint(value);
  }

  /// Returns the hash of the encoding of an entry's object, which [#encodeLive] has returned.
  int fingerprint(int entry, BytesWriter encoded) {
    return encoder.fingerprint(inCache(entry), encoded);
  }

  /// Sets a dirty entry to the value of the layers below; see [ObjectCache#clean].
  ///
  /// @throws SerdeException if it cannot be decoded; the entry is unchanged then
  void revert(int entry, Bytes key) {
    loader.revert(entry, key);
  }

  /// Returns the value of an entry that has one.
  V cached(int entry) {
    return smallBytes > 0 ? valueSerde.read(cache.small(entry, smallBytes, small)) : inCache(entry);
  }

  private V inCache(int entry) {
    return object(Objects.requireNonNull(cache.object(entry)));
  }

  private BytesWriter writeSmall(int entry) {
    BytesWriter writer = encoder.begin();
    writer.write(cache.small(entry, smallBytes, small));
    return writer;
  }

  /// Returns the largest value that was seen, in bytes.
  int largest() {
    return sizes.largest();
  }

  /// Returns the largest value that it takes, in bytes.
  public int mostBytes() {
    return sizes.mostBytes();
  }

  @SuppressWarnings("unchecked")
  private V object(Object value) {
    return (V) value;
  }
}

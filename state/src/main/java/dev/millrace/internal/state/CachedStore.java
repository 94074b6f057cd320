package dev.millrace.internal.state;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.LongSerde;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.state.cache.CachePrefetch;
import dev.millrace.internal.state.cache.CacheRows;
import dev.millrace.internal.state.cache.LiveEntries;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.internal.state.layer.MergeRange;
import dev.millrace.internal.state.layer.SortedEntries;
import dev.millrace.spi.Lending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A store of a task: keys and values as objects on top, the task's layers below.
///
/// A get after a put returns the object that was put, until it was committed and then dropped from
/// the cache; or an equal one, if values have a small fixed length ([Serde#fixedBytes]), for those
/// are kept as bytes. Keys given as views are copied when they enter the cache, values that are
/// [Bytes] always. What [#range] shows is decoded for the visitor and not cached; [Bytes] are valid
/// there only during the call. The visitor may read all stores and open further ranges.
///
/// An object that was changed in place before its put failed is not as it was: whoever goes on
/// after that, without the record at fault, goes on from a [TaskState#rollBack].
///
/// Not every value that is too large is refused when it is put; see [ValueSizes]. What slips
/// through is refused by the commit: see [RefusedAtCommitException], which a put or delete may
/// throw for the key's last value, too.
public final class CachedStore<K, V> implements KeyValueStore<K, V> {
  private final Workbench bench;
  private final ObjectCache cache;
  private final Layers layers;
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
  private final Bytes withoutExpiry = new Bytes();
  private final ReadAheadPolicy misses = new ReadAheadPolicy();
  private final CachePrefetch noted;
  private boolean readsAhead = true;

  private final ValueSizes sizes;
  private final ValueEncoder<V> encoder;
  private final EntryDecoder<K, V> reader;
  private final Lending lending = Lending.begin();

  /// @param mostBytes of a value
  CachedStore(Workbench bench, int number, StoreSpec<K, V> spec, int mostBytes) {
    this.bench = bench;
    cache = bench.cache;
    layers = bench.layers;
    this.number = number;
    this.spec = spec;
    keys = new StoreKeys<>(bench, number, spec.keySerde());
    valueSerde = spec.valueSerde();
    ordered = spec.ranges();
    Duration timeToLive = spec.timeToLive();
    timeToLiveMillis = timeToLive == null ? 0 : timeToLive.toMillis();
    sizes = new ValueSizes(spec.name(), bench.task, bench.limits, mostBytes);
    encoder = new ValueEncoder<>(bench, spec, sizes);
    reader = new EntryDecoder<>(spec, bench.task);
    int fixed = valueSerde.fixedBytes();
    smallBytes = fixed <= CacheRows.SMALL_VALUE_BYTES ? fixed : 0;
    longs = smallBytes > 0 && valueSerde instanceof LongSerde numbers ? numbers : null;
    noted = new CachePrefetch(cache);
  }

  @Override
  public @Nullable V get(K key) {
    keys.encode(key);
    int hash = ByteTable.hash(bench.key);
    int entry = cache.find(hash, bench.key);
    if (entry != ByteTable.NONE) {
      hit(entry);
      return visible(entry);
    }
    V value = visible(load(hash));
    cache.evict();
    return value;
  }

  private @Nullable V visible(int entry) {
    return cache.isThere(entry) && !isExpired(entry) ? cached(entry) : null;
  }

  private void hit(int entry) {
    bench.hits++;
    cache.spare(entry);
  }

  /// Puts what lies below the key at work into the cache.
  ///
  /// @return the entry
  private int load(int hash) {
    bench.misses++;
    long reads = layers.diskReads();
    Bytes below = layers.find(hash, bench.key);
    misses.readAlone(layers.diskReads() - reads);
    return setLoaded(ByteTable.NONE, hash, bench.key, below);
  }

  /// Whether values are numbers to which [#add] adds.
  public boolean holdsLongs() {
    return longs != null;
  }

  /// Adds to the number under a key, as a get and a put would, with no object made. A key without a
  /// value has 0.
  ///
  /// @param encoded the key by the store's serde
  /// @return the sum
  /// @throws IllegalStateException if values are no numbers; see [#holdsLongs]
  public long add(Bytes encoded, long change) {
    LongSerde numbers = longs;
    if (numbers == null) {
      throw new IllegalStateException("Store '%s' holds no numbers.".formatted(spec.name()));
    }
    layers.requireNoVisitor("put");
    int entry = entryOf(encoded);
    bench.freezer.beforeChange(this, entry);
    long sum = change;
    if (cache.isThere(entry) && !isExpired(entry)) {
      sum += numbers.readLong(cache.small(entry, smallBytes, small));
    }
    BytesWriter writer = encoder.begin();
    numbers.writeLong(sum, writer);
    encoder.require(writer.length(), entry);
    setSmall(entry, writer);
    return sum;
  }

  /// As [#get], to be followed by a [#replace], which then has nothing to search for.
  ///
  /// @param encoded the key by the store's serde
  /// @throws EntryTooLargeException if the key exceeds its limit
  public @Nullable V find(Bytes encoded) {
    int entry = entryOf(encoded);
    V value = visible(entry);
    bench.found = entry;
    bench.foundIn = number;
    return value;
  }

  /// As [#put], of the key of the last [#find], behind which no store of the task was asked.
  public void replace(V value) {
    Objects.requireNonNull(value, "A value is not null; delete(key) removes one.");
    layers.requireNoVisitor("put");
    int entry = bench.found;
    if (entry == ByteTable.NONE || bench.foundIn != number) {
      throw new IllegalStateException(
          "Nothing was found in store '%s' that could be replaced.".formatted(spec.name()));
    }
    bench.found = ByteTable.NONE;
    bench.freezer.beforeChange(this, entry);
    set(cache.hash(entry), entry, value);
  }

  /// The entry of a key, loaded if it was not there; whoever asked evicts.
  private int entryOf(Bytes encoded) {
    bench.found = ByteTable.NONE;
    sizes.requireKey(encoded);
    int hash = keys.hash(encoded);
    int entry = keys.find(hash, encoded);
    if (entry != ByteTable.NONE) {
      hit(entry);
      return entry;
    }
    bench.setKey(number, encoded);
    return load(hash);
  }

  /// Sets the small value of an entry that is not frozen to what was written.
  private void setSmall(int entry, BytesWriter writer) {
    if (!cache.isLiveInRow(entry)) {
      cache.change(entry, ordered, ObjectCache.Small.VALUE, writer.length(), sizes.usual());
    }
    cache.small(entry, writer.array(), valueStart(), smallBytes);
    cache.evict();
  }

  /// @throws EntryTooLargeException if key or value exceed their limits; nothing has changed then
  /// @throws SerdeException if the serde cannot write the value; nothing has changed then
  @Override
  public void put(K key, V value) {
    Objects.requireNonNull(value, "A value is not null; delete(key) removes one.");
    layers.requireNoVisitor("put");
    keys.encode(key);
    requireKeySize();
    int hash = ByteTable.hash(bench.key);
    int entry = cache.find(hash, bench.key);
    bench.freezer.beforeChange(this, entry);
    set(hash, entry, value);
  }

  /// Sets the value of an entry that is not frozen, or of the key at work if there is none.
  private void set(int hash, int entry, V value) {
    Object kept = value;
    int size = -1;
    if (smallBytes > 0) {
      size = encoder.measure(value, entry);
      if (entry != ByteTable.NONE) {
        setSmall(entry, bench.valueWriter);
        return;
      }
      kept = ObjectCache.Small.VALUE;
    } else if (value instanceof Bytes bytes) {
      kept = bytes.copy();
      size = encoder.measure(value, entry);
    } else if (sizes.measuresNext()) {
      size = encoder.measure(value, entry);
    }
    write(hash, entry, kept, size);
  }

  @Override
  public void delete(K key) {
    layers.requireNoVisitor("delete");
    keys.encode(key);
    requireKeySize();
    delete();
  }

  /// Deletes the key at work.
  private void delete() {
    int hash = ByteTable.hash(bench.key);
    int entry = cache.find(hash, bench.key);
    bench.freezer.beforeChange(this, entry);
    write(hash, entry, null, 0);
  }

  @Override
  public void range(@Nullable K from, @Nullable K to, Visitor<K, V> visitor) {
    requireRanges();
    Bytes low = keys.from(from);
    Bytes high = keys.to(to);
    if (low.compareTo(high) >= 0) {
      return;
    }
    Bytes keyView = new Bytes();
    Bytes valueView = new Bytes();
    Lending keyLending = Lending.begin();
    Lending valueLending = Lending.begin();
    List<SortedEntries> live = new ArrayList<>();
    cache.addRange(live, low, high);
    MergeRange range = layers.openRange(live, low, high);
    try {
      boolean more = true;
      while (more && range.next()) {
        SortedEntries at = range.current();
        Bytes encoded = at.encoded();
        if (encoded != null && hasExpired(at.key(), encoded)) {
          continue;
        }
        K key = reader.key(at.key(), keyLending, keyView);
        V value =
            at instanceof LiveEntries objects
                ? cached(objects.entry())
                : reader.value(at.key(), Objects.requireNonNull(encoded), valueLending, valueView);
        more = visitor.entry(key, value);
        keyLending.end();
        valueLending.end();
      }
    } finally {
      layers.closeRange(range);
    }
  }

  void requireRanges() {
    if (!ordered) {
      throw new IllegalStateException(
          "Store '%s' is not declared to be read in ranges; use StoreSpec.withRanges()."
              .formatted(spec.name()));
    }
  }

  /// A copy of what the serde wrote of a value; null if it has expired.
  @Nullable Bytes committedValue(Bytes key, Bytes encoded, long nowMillis) {
    return reader.committedValue(key, encoded, nowMillis);
  }

  /// Notes that a key will be asked for, unless it is in memory; see [#loadWanted].
  ///
  /// @param key encoded by the store's serde; not kept
  public void want(Bytes key) {
    int hash = keys.hash(key);
    if (!readsAhead) {
      noted.add(hash);
    } else if (keys.find(hash, key) == ByteTable.NONE) {
      layers.want(hash, bench.setKey(number, key));
    }
  }

  /// Caches what the wanted keys have on disk, read in one go. A value that cannot be decoded is
  /// left to the get that asks for it. If hardly any key is on disk alone, only the memory of those
  /// in the cache is asked for.
  public void loadWanted() {
    noted.touch();
    if (readsAhead) {
      misses.readTogether(layers.loadWanted(this::addIfReadable));
      cache.evict();
    }
  }

  /// Whether the keys of the next batch should be asked for by [#want]. To be called once before
  /// each batch of gets: the answer follows from what the last ones met.
  public boolean wantsKeysAhead() {
    readsAhead = misses.payAhead(bench.hits + bench.misses);
    return readsAhead || cache.isLarge();
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

  /// Whether an object may be changed that a get has returned.
  boolean valuesChangeInPlace() {
    return smallBytes == 0 && !valueSerde.immutable();
  }

  /// Encodes a live value into the task's writer for a commit.
  ///
  /// @return its length
  int encodeLive(int entry, Bytes key) {
    boolean complete = false;
    try {
      int size = smallBytes > 0 ? writeSmall(entry) : encoder.measure(inCache(entry), entry);
      if (expires()) {
        cache.expiry(entry, bench.clockMillis + timeToLiveMillis);
      }
      complete = true;
      return size;
    } catch (SerdeException failure) {
      throw new SerdeException(
          "The value of key %s in store '%s' of task %s cannot be written: %s"
              .formatted(
                  StoreTable.withoutNumber(key), spec.name(), bench.task, failure.getMessage()),
          failure);
    } finally {
      if (!complete) {
        sizes.measureAll();
      }
    }
  }

  /// Whether values of the store expire.
  boolean expires() {
    return timeToLiveMillis > 0;
  }

  /// How long values live; 0 for ever.
  long timeToLiveMillis() {
    return timeToLiveMillis;
  }

  /// Where in an encoded value begins what the serde wrote.
  int valueStart() {
    return expires() ? Expiry.BYTES : 0;
  }

  /// Whether an encoded value is there no more.
  boolean hasExpired(Bytes key, Bytes encoded) {
    return reader.hasExpired(key, encoded, bench.clockMillis);
  }

  /// Of a clean entry that holds a value; what is live was put at the time it is.
  private boolean isExpired(int entry) {
    return expires() && !cache.isDirty(entry) && cache.isExpired(entry, bench.clockMillis);
  }

  /// Deletes a key, given with the store's number, whose value on disk has expired.
  void sweep(Bytes key) {
    bench.key.set(key.array(), key.offset(), key.length());
    delete();
  }

  /// What an object's encoding hashes to.
  int fingerprint(Object value) {
    BytesWriter writer = bench.valueWriter;
    writer.clear();
    valueSerde.write(object(value), writer);
    return ByteTable.hash(writer.array(), 0, writer.length());
  }

  /// Gives a dirty entry, whose key this is, the value that lies below; see [ObjectCache#clean].
  ///
  /// @throws SerdeException if it cannot be decoded; the entry is as it was then
  void revert(int entry, Bytes key) {
    setLoaded(entry, cache.hash(entry), key, layers.find(cache.hash(entry), key));
  }

  /// Puts a value found below into its entry, or a new one.
  private int setLoaded(int at, int hash, Bytes key, @Nullable Bytes encoded) {
    Bytes there = encoded == null || hasExpired(key, encoded) ? null : encoded;
    Object value = there == null ? null : decoded(key, there);
    int size = there == null ? 0 : there.length();
    int entry = at;
    if (entry == ByteTable.NONE) {
      entry = cache.addClean(hash, key, value, size);
    } else {
      cache.revert(entry, value, size);
    }
    if (expires()) {
      cache.expiry(entry, there == null ? Long.MAX_VALUE : Expiry.of(there));
    }
    if (there != null && smallBytes > 0) {
      cache.small(entry, there.array(), there.offset() + valueStart(), smallBytes);
    }
    assert value == null || smallBytes > 0 || bench.mutations.note(entry, fingerprint(value));
    return entry;
  }

  /// A value found below as the cache keeps it.
  private Object decoded(Bytes key, Bytes encoded) {
    V value = reader.value(key, encoded, lending, withoutExpiry);
    sizes.note(encoded.length());
    Object kept = value instanceof Bytes view ? view.copy() : value;
    lending.end();
    return smallBytes > 0 ? ObjectCache.Small.VALUE : kept;
  }

  private void addIfReadable(int hash, Bytes key, @Nullable Bytes encoded) {
    try {
      setLoaded(ByteTable.NONE, hash, key, encoded);
      // Used entries would be spared, and what is about to be asked for would leave instead.
      cache.spare(cache.find(hash, key));
    } catch (SerdeException _) {
      // The get that needs it says which record asked.
    }
  }

  /// Sets the value of the key at work, whose entry is not frozen.
  private void write(int hash, int at, @Nullable Object value, int size) {
    int entry = at;
    if (entry != ByteTable.NONE) {
      cache.change(entry, ordered, value, size, sizes.usual());
    } else {
      entry = cache.addDirty(hash, bench.key, ordered, value, size >= 0 ? size : sizes.usual());
    }
    if (value instanceof ObjectCache.Small) {
      cache.small(entry, bench.valueWriter.array(), valueStart(), smallBytes);
    }
    cache.evict();
  }

  /// The value of an entry that has one.
  private V cached(int entry) {
    return smallBytes > 0 ? valueSerde.read(cache.small(entry, smallBytes, small)) : inCache(entry);
  }

  private V inCache(int entry) {
    return object(Objects.requireNonNull(cache.object(entry)));
  }

  private int writeSmall(int entry) {
    BytesWriter writer = encoder.begin();
    writer.write(cache.small(entry, smallBytes, small));
    return writer.length();
  }

  /// The largest value that was seen, in bytes.
  int largest() {
    return sizes.largest();
  }

  /// The largest value that it takes, in bytes.
  public int mostBytes() {
    return sizes.mostBytes();
  }

  private void requireKeySize() {
    if (bench.key.length() - StoreTable.NUMBER_BYTES > bench.limits.maxKeyBytes()) {
      sizes.requireKey(StoreTable.withoutNumber(bench.key));
    }
  }

  @SuppressWarnings("unchecked")
  private V object(Object value) {
    return (V) value;
  }
}

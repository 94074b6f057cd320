package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The stores of a task by number, and the encoding of that number in keys.
final class StoreTable {
  /// The bytes of the store's number before each key, in the changelog and on disk.
  static final int NUMBER_BYTES = 2;

  private final String task;
  private final @Nullable CachedStore<?, ?>[] stores;

  /// By number, whether an earlier plan had the store and this one does not.
  private final boolean[] parked;

  private final boolean immutable;

  /// @param parked the numbers of stores that an earlier plan had and this one does not: what the
  ///   changelog has of them is kept unread
  StoreTable(StoreContext context, List<NumberedStore> specs, Set<Integer> parked) {
    task = context.task();
    this.parked = new boolean[parked.stream().mapToInt(each -> each).max().orElse(0) + 1];
    parked.forEach(number -> this.parked[number] = true);
    int highest = specs.stream().mapToInt(NumberedStore::number).max().orElse(0);
    stores = new CachedStore<?, ?>[highest + 1];
    for (NumberedStore store : specs) {
      CachedStore<?, ?> other = stores[store.number()];
      if (other != null) {
        throw new IllegalArgumentException(
            "Stores '%s' and '%s' of task %s have the same number %d."
                .formatted(other.name(), store.spec().name(), task, store.number()));
      }
      stores[store.number()] =
          new CachedStore<>(
              context,
              store.number(),
              store.spec(),
              store.mostBytes(context.limits().maxValueBytes()));
    }
    immutable = all(store -> !store.valuesChangeInPlace());
  }

  CachedStore<?, ?> of(int number) {
    CachedStore<?, ?> store = number > 0 && number < stores.length ? stores[number] : null;
    if (store == null) {
      throw new UnknownStoreException(task, number);
    }
    return store;
  }

  /// Sets a watcher of values that are near the limit of their store.
  void watch(LargeValues watcher) {
    for (CachedStore<?, ?> store : stores) {
      if (store != null) {
        store.watch(watcher);
      }
    }
  }

  /// Returns the sizes of the values of each store.
  List<StoreSizes> sizes() {
    return Arrays.stream(stores)
        .filter(Objects::nonNull)
        .map(store -> new StoreSizes(store.name(), store.largest(), store.mostBytes()))
        .toList();
  }

  /// Returns the numbers of the stores whose values expire, ascending.
  int[] expiring() {
    return IntStream.range(0, stores.length)
        .filter(number -> stores[number] != null && of(number).expires())
        .toArray();
  }

  /// Returns whether entries can be changed while a commit is encoded: in no store are they read in
  /// ranges or expire, and no value can be changed from outside while it waits to be encoded.
  boolean changeWhileFrozen() {
    return all(CachedStore::changesWhileFrozen);
  }

  /// Returns whether what a get returned is as it was unless it was put again.
  boolean valuesAreImmutable() {
    return immutable;
  }

  private boolean all(Predicate<CachedStore<?, ?>> known) {
    return IntStream.range(0, stores.length)
        .allMatch(number -> stores[number] == null || known.test(of(number)));
  }

  /// Returns the store that a changelog key belongs to.
  CachedStore<?, ?> of(Bytes key) {
    return of(number(key));
  }

  /// Returns the numbers of all stores and of the parked ones, ascending.
  int[] numbers() {
    return IntStream.range(1, Math.max(stores.length, parked.length))
        .filter(number -> number < stores.length && stores[number] != null || isParked(number))
        .toArray();
  }

  /// Returns whether an earlier plan had the store and this one does not.
  boolean isParked(int number) {
    return number < parked.length && parked[number];
  }

  /// Returns the number of the store that a changelog key belongs to.
  int number(Bytes key) {
    if (key.length() < NUMBER_BYTES) {
      throw new IllegalArgumentException(
          "The changelog of task %s holds the key '%s', which has no store number."
              .formatted(task, key));
    }
    return (key.get(0) & 0xFF) << 8 | (key.get(1) & 0xFF);
  }

  /// Returns whether a changelog key belongs to a store that is read in ranges; a parked one is
  /// not.
  boolean isOrdered(Bytes key) {
    int number = number(key);
    return !isParked(number) && of(number).ordered();
  }

  /// Returns what all keys of a store begin with.
  static Bytes prefix(int number) {
    return Bytes.of(new byte[] {(byte) (number >> 8), (byte) number});
  }

  /// Returns the bytes of a changelog key that the store's serde wrote.
  static Bytes withoutNumber(Bytes key) {
    return withoutNumber(key, new Bytes());
  }

  /// Moves `view` over the bytes of a changelog key that the store's serde wrote.
  static Bytes withoutNumber(Bytes key, Bytes view) {
    return view.set(key.array(), key.offset() + NUMBER_BYTES, key.length() - NUMBER_BYTES);
  }
}

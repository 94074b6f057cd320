package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.state.layer.Layers;
import java.util.SortedMap;
import java.util.TreeMap;

/// About how many bytes each store of a task takes: what the disk says of its range of keys, and
/// the keys and values that are committed and not on disk yet, of which some are looked at. An
/// entry that is on disk and was committed anew counts twice until it is flushed.
public final class StoreBytes {
  /// So many entries of a layer are looked at.
  private static final int SAMPLED = 4096;

  private final Layers layers;
  private final StoreTable stores;

  StoreBytes(Layers layers, StoreTable stores) {
    this.layers = layers;
    this.stores = stores;
  }

  /// Returns the bytes of each store, and of each parked one of which there is anything, by its
  /// number. That takes up to a millisecond a store, so it is for now and then.
  public SortedMap<Integer, Long> all() {
    SortedMap<Integer, Long> bytes = notOnDisk();
    for (int number : stores.numbers()) {
      long onDisk = layers.disk().sizeBytes(from(number), from(number + 1));
      if (onDisk > 0 || !stores.isParked(number)) {
        bytes.merge(number, onDisk, Long::sum);
      }
    }
    return bytes;
  }

  private SortedMap<Integer, Long> notOnDisk() {
    SortedMap<Integer, Long> bytes = new TreeMap<>();
    layers.sampleCommitted(
        SAMPLED,
        (key, valueBytes, weight) ->
            bytes.merge(
                stores.number(key), (long) weight * (key.length() + valueBytes), Long::sum));
    return bytes;
  }

  private static Bytes from(int number) {
    BytesWriter writer = new BytesWriter(StoreTable.NUMBER_BYTES);
    writer.writeShort(number);
    return Bytes.of(writer.toByteArray());
  }
}

package dev.millrace.testkit.contract;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// A run over a map, null values being deletions. It shows its entries as meanly as the contract
/// allows: in the middle of one array, which is overwritten by the next move.
public final class MapRun implements Disk.SortedRun {
  private static final int MARGIN = 3;

  private final Iterator<? extends Map.Entry<Bytes, byte @Nullable []>> entries;
  private final Bytes key = new Bytes();
  private final Bytes value = new Bytes();
  private byte[] memory = {};
  private boolean deleted;

  public MapRun(SortedMap<Bytes, byte @Nullable []> entries) {
    this(entries.entrySet().iterator());
  }

  /// @param entries in any order, for runs that are to be refused
  public MapRun(Iterator<? extends Map.Entry<Bytes, byte @Nullable []>> entries) {
    this.entries = entries;
  }

  @Override
  public boolean next() {
    Arrays.fill(memory, (byte) 0x5A);
    if (!entries.hasNext()) {
      return false;
    }
    Map.Entry<Bytes, byte @Nullable []> entry = entries.next();
    byte[] keyBytes = entry.getKey().toByteArray();
    byte[] valueBytes = entry.getValue();
    deleted = valueBytes == null;
    int valueLength = valueBytes == null ? 0 : valueBytes.length;
    int valueAt = MARGIN + keyBytes.length + MARGIN;
    if (memory.length < valueAt + valueLength + MARGIN) {
      memory = new byte[valueAt + valueLength + MARGIN];
    }
    System.arraycopy(keyBytes, 0, memory, MARGIN, keyBytes.length);
    key.set(memory, MARGIN, keyBytes.length);
    if (valueBytes != null) {
      System.arraycopy(valueBytes, 0, memory, valueAt, valueLength);
    }
    value.set(memory, valueAt, valueLength);
    return true;
  }

  @Override
  public Bytes key() {
    return key;
  }

  @Override
  public @Nullable Bytes value() {
    return deleted ? null : value;
  }
}

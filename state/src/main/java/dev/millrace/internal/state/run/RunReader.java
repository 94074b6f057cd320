package dev.millrace.internal.state.run;

import dev.millrace.api.serde.Bytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A run opened for reading; its index is kept in memory, of its blocks the last one read.
final class RunReader implements AutoCloseable {
  private final Manifest.RunName name;
  private final String describedAs;
  private final RunFiles.Content file;
  private final List<BlockPlace> places;
  private int blockInMemory = -1;
  private byte[] block = {};

  /// Where a block lies and what its first key is.
  private record BlockPlace(long offset, int length, int checksum, Bytes firstKey) {}

  /// An entry that was found; without a value if the run deletes the key.
  record Found(byte @Nullable [] value) {}

  private RunReader(
      Manifest.RunName name, String describedAs, RunFiles.Content file, List<BlockPlace> places) {
    this.name = name;
    this.describedAs = describedAs;
    this.file = file;
    this.places = places;
  }

  /// Opens a run and checks that it is the one the manifest means. Takes over the file.
  static RunReader open(RunFiles.Content file, Manifest.RunName name, String describedAs) {
    boolean opened = false;
    try {
      RunReader run = new RunReader(name, describedAs, file, readIndex(file, name, describedAs));
      opened = true;
      return run;
    } finally {
      if (!opened) {
        file.close();
      }
    }
  }

  Manifest.RunName name() {
    return name;
  }

  /// Returns the entry of a key, or null if the run has none.
  @Nullable Found find(Bytes key) {
    int place = placeOf(key);
    if (place < 0) {
      return null;
    }
    Entries entries = new Entries(readBlock(place));
    while (entries.next()) {
      int order = entries.key().compareTo(key);
      if (order == 0) {
        Bytes value = entries.value();
        return new Found(value == null ? null : value.toByteArray());
      }
      if (order > 0) {
        return null;
      }
    }
    return null;
  }

  /// Returns the entries whose keys are not less than `from`, deletions among them.
  RunCursor cursor(Bytes from) {
    return new RunCursor(this, Math.max(0, placeOf(from)), from.copy());
  }

  /// Returns how many bytes of the file lie before the entries whose keys are not less than `key`.
  long bytesBefore(Bytes key) {
    int place = placeOf(key);
    if (place < 0) {
      return 0;
    }
    Entries entries = new Entries(readBlock(place));
    int bytes = 0;
    while (entries.next() && entries.key().compareTo(key) < 0) {
      bytes = entries.end;
    }
    return places.get(place).offset() + bytes;
  }

  int blocks() {
    return places.size();
  }

  /// Returns a block's entries, checked against its checksum.
  byte[] readBlock(int index) {
    if (blockInMemory != index) {
      BlockPlace place = places.get(index);
      byte[] bytes = new byte[place.length()];
      file.read(place.offset(), bytes, 0, bytes.length);
      if (Manifest.checksum(bytes, 0, bytes.length) != place.checksum()) {
        throw Manifest.corrupt(
            describedAs, "does not have the bytes that were written at " + place.offset());
      }
      block = bytes;
      blockInMemory = index;
    }
    return block;
  }

  @Override
  public void close() {
    file.close();
  }

  /// Returns the last block that starts at or before a key, or -1 if all start after it.
  private int placeOf(Bytes key) {
    int low = 0;
    int high = places.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (places.get(middle).firstKey().compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  private static List<BlockPlace> readIndex(
      RunFiles.Content file, Manifest.RunName name, String describedAs) {
    long length = file.length();
    if (length != name.lengthBytes() || length < RunWriter.FOOTER_BYTES) {
      throw Manifest.corrupt(
          describedAs, "has %d bytes instead of %d".formatted(length, name.lengthBytes()));
    }
    byte[] footer = new byte[RunWriter.FOOTER_BYTES];
    file.read(length - footer.length, footer, 0, footer.length);
    ByteBuffer in = ByteBuffer.wrap(footer);
    int checksumAt = footer.length - Integer.BYTES;
    int checksum = Manifest.checksum(footer, 0, checksumAt);
    if (checksum != in.getInt(checksumAt) || checksum != name.footerChecksum()) {
      throw Manifest.corrupt(describedAs, "does not end as it was written");
    }
    long indexOffset = in.getLong();
    byte[] index = new byte[in.getInt()];
    int indexChecksum = in.getInt();
    file.read(indexOffset, index, 0, index.length);
    if (Manifest.checksum(index, 0, index.length) != indexChecksum) {
      throw Manifest.corrupt(describedAs, "does not have the index that was written");
    }
    in.getLong();
    int version = in.getInt();
    if (version != Manifest.FORMAT_VERSION || in.getInt() != RunWriter.MAGIC) {
      throw Manifest.otherVersion(describedAs, version);
    }
    return decodeIndex(index, describedAs);
  }

  private static List<BlockPlace> decodeIndex(byte[] index, String describedAs) {
    ByteBuffer in = ByteBuffer.wrap(index);
    List<BlockPlace> places = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        long offset = in.getLong();
        int length = in.getInt();
        int checksum = in.getInt();
        byte[] firstKey = new byte[in.getInt()];
        in.get(firstKey);
        places.add(new BlockPlace(offset, length, checksum, Bytes.of(firstKey)));
      }
      return places;
    } catch (BufferUnderflowException e) {
      throw Manifest.corrupt(describedAs, "has an index that ends too early", e);
    }
  }

  /// The entries of one block, one after another.
  static final class Entries {
    private final byte[] block;
    private final ByteBuffer lengths;
    private final Bytes key = new Bytes();
    private final Bytes value = new Bytes();
    private boolean deleted;
    private int end;

    Entries(byte[] block) {
      this.block = block;
      lengths = ByteBuffer.wrap(block);
    }

    boolean next() {
      if (end == block.length) {
        return false;
      }
      int keyLength = lengths.getInt(end);
      int valueLength = lengths.getInt(end + Integer.BYTES);
      deleted = valueLength == RunWriter.DELETED;
      int keyAt = end + 2 * Integer.BYTES;
      int valueAt = keyAt + keyLength;
      key.set(block, keyAt, keyLength);
      value.set(block, valueAt, deleted ? 0 : valueLength);
      end = valueAt + value.length();
      return true;
    }

    Bytes key() {
      return key;
    }

    @Nullable Bytes value() {
      return deleted ? null : value;
    }
  }
}

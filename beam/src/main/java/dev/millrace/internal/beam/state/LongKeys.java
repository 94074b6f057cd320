package dev.millrace.internal.beam.state;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// How keys stand in the places of states and timers: as they are, or, if they are long, by their
/// SHA-256, under which the key itself is kept once. It stays there.
public final class LongKeys {
  private static final int LONGEST = 32 << 10;
  private static final byte AS_IT_IS = 0;
  private static final byte BY_HASH = 1;

  /// Where long keys stand in the store of values: no cell of a state begins so.
  private static final byte KEYS = 'k';

  private final KeyValueStore<Bytes, Bytes> values;

  public LongKeys(KeyValueStore<Bytes, Bytes> values) {
    this.values = values;
  }

  /// Returns what stands for a key.
  public Bytes stored(Bytes key) {
    BytesWriter out = new BytesWriter(key.length() <= LONGEST ? key.length() + 1 : 64);
    write(key, out);
    return Bytes.of(out.toByteArray());
  }

  /// Writes what stands for a key.
  public void write(Bytes key, BytesWriter out) {
    if (key.length() <= LONGEST) {
      out.writeByte(AS_IT_IS);
      out.write(key);
      return;
    }
    Bytes hash = hash(key);
    Bytes place = prefixed(KEYS, hash);
    if (values.get(place) == null) {
      values.put(place, key.copy());
    }
    out.writeByte(BY_HASH);
    out.write(hash);
  }

  /// Returns the key that something stands for.
  public Bytes key(Bytes stored) {
    Bytes rest = new Bytes().set(stored.array(), stored.offset() + 1, stored.length() - 1).copy();
    if (stored.get(0) == AS_IT_IS) {
      return rest;
    }
    Bytes key = values.get(prefixed(KEYS, rest));
    if (key == null) {
      throw new IllegalStateException("A long key is missing: " + rest);
    }
    return key;
  }

  private static Bytes prefixed(byte prefix, Bytes rest) {
    BytesWriter out = new BytesWriter(rest.length() + 1);
    out.writeByte(prefix);
    out.write(rest);
    return Bytes.of(out.toByteArray());
  }

  private static Bytes hash(Bytes key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(key.array(), key.offset(), key.length());
      return Bytes.of(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every JDK has SHA-256.", e);
    }
  }
}

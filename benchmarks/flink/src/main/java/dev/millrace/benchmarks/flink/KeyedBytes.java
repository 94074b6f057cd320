package dev.millrace.benchmarks.flink;

/// A record whose key is a number. Public, with public fields, as Flink's fastest serializer for
/// classes wants it.
public final class KeyedBytes {
  public long key;
  public byte[] value = {};

  public KeyedBytes() {}

  public KeyedBytes(long key, byte[] value) {
    this.key = key;
    this.value = value;
  }
}

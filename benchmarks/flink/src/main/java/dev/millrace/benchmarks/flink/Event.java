package dev.millrace.benchmarks.flink;

/// A record of the topic. Public, with public fields, as Flink's fastest serializer for classes
/// wants it.
public final class Event {
  public long key;
  public byte[] value = {};

  public Event() {}

  Event(long key, byte[] value) {
    this.key = key;
    this.value = value;
  }
}

package dev.millrace.api.serde;

/// A serde of longs that can do without an object for each of them.
public interface LongSerde extends Serde<Long> {

  /// As [#write].
  void writeLong(long value, BytesWriter out);

  /// As [#read].
  long readLong(Bytes in);
}

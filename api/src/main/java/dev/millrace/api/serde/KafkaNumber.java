package dev.millrace.api.serde;

import java.util.function.BiConsumer;
import java.util.function.Function;

/// Numbers as the serializers of Kafka's clients write them.
///
/// @param bytes how many bytes every value has
record KafkaNumber<T>(
    String id, int bytes, BiConsumer<BytesWriter, T> writer, Function<BytesReader, T> reader)
    implements Serde<T> {

  static final Serde<Short> SHORT =
      new KafkaNumber<>(
          "kafka-short", 2, (out, value) -> out.writeShort(value), BytesReader::readShort);
  static final Serde<Integer> INTEGER =
      new KafkaNumber<>("kafka-integer", 4, BytesWriter::writeInt, BytesReader::readInt);
  static final Serde<Long> LONG =
      new KafkaNumber<>("kafka-long", 8, BytesWriter::writeLong, BytesReader::readLong);
  static final Serde<Float> FLOAT =
      new KafkaNumber<>(
          "kafka-float",
          4,
          (out, value) -> out.writeInt(Float.floatToIntBits(value)),
          in -> Float.intBitsToFloat(in.readInt()));
  static final Serde<Double> DOUBLE =
      new KafkaNumber<>(
          "kafka-double",
          8,
          (out, value) -> out.writeLong(Double.doubleToLongBits(value)),
          in -> Double.longBitsToDouble(in.readLong()));

  @Override
  public void write(T value, BytesWriter out) {
    writer.accept(out, value);
  }

  @Override
  public T read(Bytes in) {
    if (in.length() != bytes) {
      throw new SerdeException("%s: expected %d bytes, found %d".formatted(id, bytes, in.length()));
    }
    return reader.apply(new BytesReader(in));
  }

  @Override
  public int fixedBytes() {
    return bytes;
  }

  @Override
  public boolean canonical() {
    return true;
  }
}

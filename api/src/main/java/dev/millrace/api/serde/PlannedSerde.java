package dev.millrace.api.serde;

import java.util.HashSet;
import java.util.Optional;

/// A serde that comes with Millrace and knows its schema in parts.
abstract sealed class PlannedSerde<T> implements Serde<T> {
  private final String id;
  private final Schema schema;
  private final String text;

  private PlannedSerde(String id, Schema schema) {
    this.id = id;
    this.schema = schema;
    text = schema.text();
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public final String schema() {
    return text;
  }

  @Override
  public final boolean canRead(String writtenSchema) {
    return obstacle(writtenSchema).isEmpty();
  }

  /// Why what was written under this schema cannot be read; empty if it can.
  Optional<String> obstacle(String writtenSchema) {
    int version = VersionedSchema.parse(writtenSchema).version();
    if (version > 1) {
      return Optional.of("it was written as version %d, and has none here".formatted(version));
    }
    return text.equals(writtenSchema)
        ? Optional.empty()
        : Evolution.obstacle(schema, writtenSchema);
  }

  @Override
  public final String toString() {
    return id;
  }

  @Override
  public final Optional<Serde<T>> writingAs(String olderSchema) {
    if (text.equals(olderSchema)) {
      return Optional.of(this);
    }
    return obstacle(olderSchema).isPresent()
        ? Optional.empty()
        : older(SchemaParser.parse(olderSchema));
  }

  /// @param older a schema that this serde can read
  abstract Optional<Serde<T>> older(Schema older);

  /// The raw form of a scalar, without anything around it.
  static sealed class OfScalar<T> extends PlannedSerde<T> {
    private final Scalar<T> scalar;

    OfScalar(Scalar<T> scalar) {
      Schema.Builder builder = new Schema.Builder();
      super(scalar.id(), new Schema(scalar.rawSchema(builder), builder.structures));
      this.scalar = scalar;
    }

    Scalar<T> scalar() {
      return scalar;
    }

    @Override
    public int fixedBytes() {
      return scalar.fixedBytes();
    }

    @Override
    public boolean immutable() {
      return scalar.immutable(new HashSet<>());
    }

    @Override
    public void write(T value, BytesWriter out) {
      scalar.writeRaw(value, out);
    }

    @Override
    public T read(Bytes in) {
      requireLength(in);
      BytesReader reader = new BytesReader(in);
      T value = scalar.readRaw(reader);
      reader.expectEnd();
      return value;
    }

    @Override
    Optional<Serde<T>> older(Schema older) {
      return OlderFormat.of(scalar, older)
          .map(codec -> new OfOlder<>(this, new OfScalar<>((Scalar<T>) codec), older));
    }

    final void requireLength(Bytes in) {
      int expected = scalar.fixedBytes();
      if (expected > 0 && in.length() != expected) {
        throw new SerdeException(
            "%s: expected %d bytes, found %d".formatted(id(), expected, in.length()));
      }
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public boolean ordered() {
      return true;
    }
  }

  /// The raw form of a long.
  static final class OfLong extends OfScalar<Long> implements LongSerde {
    OfLong() {
      super(NumberScalars.LONG);
    }

    @Override
    public void writeLong(long value, BytesWriter out) {
      out.writeLong(value ^ Long.MIN_VALUE);
    }

    @Override
    public long readLong(Bytes in) {
      requireLength(in);
      return (long) BytesReader.LONG.get(in.array(), in.offset()) ^ Long.MIN_VALUE;
    }
  }

  /// The value form: the format's version in one byte, then the content.
  static final class OfContent<T> extends PlannedSerde<T> {
    private static final int VERSION = 1;

    private final ContentCodec<T> codec;

    OfContent(ContentCodec<T> codec) {
      super(codec.id(), Schema.of(codec));
      this.codec = codec;
    }

    ContentCodec<T> codec() {
      return codec;
    }

    @Override
    Optional<Serde<T>> older(Schema older) {
      return OlderFormat.of(codec, older)
          .map(found -> new OfOlder<>(this, new OfContent<>((ContentCodec<T>) found), older));
    }

    @Override
    public void write(T value, BytesWriter out) {
      out.writeByte(VERSION);
      codec.writeContent(value, out);
    }

    @Override
    public T read(Bytes in) {
      BytesReader reader = new BytesReader(in);
      int version = reader.readUnsignedByte();
      if (version != VERSION) {
        throw new SerdeException(
            "%s: expected format version %d, found %d".formatted(id(), VERSION, version));
      }
      T value = codec.readContent(reader);
      reader.expectEnd();
      return value;
    }

    @Override
    public boolean canonical() {
      return codec.canonical();
    }

    @Override
    public boolean immutable() {
      return codec.immutable(new HashSet<>());
    }
  }

  /// What reads as one serde does, and writes what readers of an older schema understand.
  static final class OfOlder<T> extends PlannedSerde<T> {
    private final PlannedSerde<T> now;
    private final PlannedSerde<T> writer;

    /// @param older what is written
    OfOlder(PlannedSerde<T> now, PlannedSerde<T> writer, Schema older) {
      super(now.id(), older);
      this.now = now;
      this.writer = writer;
    }

    PlannedSerde<T> writer() {
      return writer;
    }

    @Override
    Optional<String> obstacle(String writtenSchema) {
      return now.obstacle(writtenSchema);
    }

    @Override
    Optional<Serde<T>> older(Schema older) {
      return now.older(older);
    }

    @Override
    public int fixedBytes() {
      return now.fixedBytes();
    }

    @Override
    public boolean immutable() {
      return now.immutable();
    }

    @Override
    public boolean canonical() {
      return now.canonical();
    }

    @Override
    public boolean ordered() {
      return now.ordered();
    }

    @Override
    public void write(T value, BytesWriter out) {
      writer.write(value, out);
    }

    @Override
    public T read(Bytes in) {
      return now.read(in);
    }
  }

  /// The key form.
  static final class OfKey<T> extends PlannedSerde<T> {
    private final KeyCodec<T> codec;

    OfKey(KeyCodec<T> codec) {
      Schema.Builder builder = new Schema.Builder();
      super("key:" + codec.id(), new Schema(codec.schema(builder), builder.structures));
      this.codec = codec;
    }

    @Override
    Optional<String> obstacle(String writtenSchema) {
      return schema().equals(writtenSchema)
          ? Optional.empty()
          : Optional.of(
              "the parts of a key cannot change: it was written as %s and is read as %s"
                  .formatted(writtenSchema, schema()));
    }

    @Override
    Optional<Serde<T>> older(Schema older) {
      return Optional.empty();
    }

    @Override
    public void write(T value, BytesWriter out) {
      codec.write(value, out);
    }

    @Override
    public T read(Bytes in) {
      BytesReader reader = new BytesReader(in);
      T value = codec.read(reader);
      reader.expectEnd();
      return value;
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public boolean ordered() {
      return true;
    }
  }
}

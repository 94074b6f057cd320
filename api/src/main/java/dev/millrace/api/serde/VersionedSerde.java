package dev.millrace.api.serde;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A serde for values whose type changed in a way that cannot be read in place: it reads values of
/// earlier versions, migrates them by a function, and writes those of its own version.
///
/// ```java
/// record Money(long cents) {}
/// Serde<Money> prices =
///     Serdes.version(2, Serdes.record(Money.class)).from(1, Serdes.longs(), Money::new);
/// ```
///
/// Values are migrated when they are read, and stored in the new version when they are next
/// written. A serde without a version is version 1, so an application that never had one gives its
/// serde version 2 when it changes the type. Keep each earlier version as long as values of it may
/// be anywhere; a plan that leaves one out is refused.
///
/// Values of a version from 2 on take 9 bytes more: a mark and the version. Serdes that came
/// without a version never write that mark: those of Millrace cannot, and of 8 bytes of any other
/// it is as likely as any other number.
///
/// Immutable, and used by all tasks and threads at once.
///
/// @param <T> the type
public final class VersionedSerde<T> implements Serde<T> {
  /// Begins with a byte that no text has, and no value of a serde for records or collections.
  private static final byte[] MARK = "\u00ffmillrce".getBytes(StandardCharsets.ISO_8859_1);

  private static final int HEAD_BYTES = MARK.length + 1;
  private static final int MOST = 255;

  private final int version;
  private final Serde<T> now;
  private final Map<Integer, Earlier<?, T>> earlier;

  private VersionedSerde(int version, Serde<T> now, Map<Integer, Earlier<?, T>> earlier) {
    this.version = version;
    this.now = now;
    this.earlier = earlier;
  }

  VersionedSerde(int version, Serde<T> now) {
    this(version, now, Map.of());
    if (version < 2 || version > MOST) {
      throw new IllegalArgumentException(
          "The version is %d, and has to be from 2 to %d; values that were written without one are version 1."
              .formatted(version, MOST));
    }
  }

  /// An earlier version.
  ///
  /// @param back null if values cannot be turned back
  private record Earlier<O, T>(
      int version,
      Serde<O> serde,
      Function<? super O, ? extends T> forth,
      @Nullable Function<? super T, ? extends O> back) {

    T read(Bytes in) {
      O old = serde.read(in);
      T value;
      try {
        value = forth.apply(old);
      } catch (RuntimeException e) { // outermost: of the user's code, which may throw anything
        throw failed("the function that migrates from version %d failed".formatted(version), e);
      }
      if (value == null) {
        throw new SerdeException(
            "the function that migrates from version %d returned null".formatted(version));
      }
      return value;
    }

    O turnedBack(T value) {
      O old;
      try {
        old = back == null ? null : back.apply(value);
      } catch (RuntimeException e) { // outermost: of the user's code, which may throw anything
        throw failed("the function that turns back to version %d failed".formatted(version), e);
      }
      if (old == null) {
        throw new SerdeException(
            "the function that turns back to version %d returned null".formatted(version));
      }
      return old;
    }

    private static SerdeException failed(String what, RuntimeException e) {
      return new SerdeException(what + ": " + e, e);
    }
  }

  /// Returns a serde that also reads values of an earlier version.
  ///
  /// ```java
  /// record Money(long cents) {}
  /// Serdes.version(3, Serdes.record(Money.class))
  ///     .from(2, Serdes.longs(), Money::new)
  ///     .from(1, Serdes.string(), text -> new Money(Long.parseLong(text)));
  /// ```
  ///
  /// @param earlierVersion 1 for values that were written without one
  /// @param serde that wrote them
  /// @param migration gives the value of this version; never null, and the same for the same value
  public <O> VersionedSerde<T> from(
      int earlierVersion, Serde<O> serde, Function<? super O, ? extends T> migration) {
    return with(new Earlier<>(earlierVersion, serde, migration, null));
  }

  /// Returns a serde that also reads values of an earlier version, and writes them while an older
  /// version of the application may still have to read what is written. So the change can be rolled
  /// out one container after the other, and rolled back.
  ///
  /// ```java
  /// record Money(long cents) {}
  /// Serdes.version(2, Serdes.record(Money.class))
  ///     .from(1, Serdes.longs(), Money::new, Money::cents);
  /// ```
  ///
  /// @param earlierVersion 1 for values that were written without one
  /// @param serde that wrote them
  /// @param migration gives the value of this version; never null, and the same for the same value
  /// @param back gives the value of the earlier version, from which `migration` makes an equal
  ///   value again: that is checked at each write, and a value that would lose something is refused
  public <O> VersionedSerde<T> from(
      int earlierVersion,
      Serde<O> serde,
      Function<? super O, ? extends T> migration,
      Function<? super T, ? extends O> back) {
    return with(new Earlier<>(earlierVersion, serde, migration, back));
  }

  private VersionedSerde<T> with(Earlier<?, T> more) {
    if (more.version < 1 || more.version >= version || earlier.containsKey(more.version)) {
      throw new IllegalArgumentException(
          earlier.containsKey(more.version)
              ? "Version %d is there twice.".formatted(more.version)
              : "Version %d is not earlier than version %d.".formatted(more.version, version));
    }
    Map<Integer, Earlier<?, T>> all = new TreeMap<>(earlier);
    all.put(more.version, more);
    return new VersionedSerde<>(version, now, all);
  }

  @Override
  public String id() {
    return "version(" + now.id() + ")";
  }

  @Override
  public String schema() {
    Map<Integer, String> schemas = new TreeMap<>();
    earlier.forEach((number, each) -> schemas.put(number, each.serde.schema()));
    return new VersionedSchema(version, now.schema(), schemas).text();
  }

  @Override
  public boolean canRead(String writtenSchema) {
    return obstacle(writtenSchema).isEmpty();
  }

  /// Why what was written under this schema cannot be read; empty if it can.
  Optional<String> obstacle(String writtenSchema) {
    VersionedSchema written = VersionedSchema.parse(writtenSchema);
    Map<Integer, String> all = new TreeMap<>(written.earlier());
    all.put(written.version(), written.schema());
    for (Map.Entry<Integer, String> each : all.entrySet()) {
      Serde<?> serde = ofVersion(each.getKey());
      Optional<String> obstacle =
          serde == null
              ? Optional.of(missing(each.getKey()))
              : Serdes.obstacle(serde, each.getValue())
                  .map(why -> "version %d: %s".formatted(each.getKey(), why));
      if (obstacle.isPresent()) {
        return obstacle;
      }
    }
    return Optional.empty();
  }

  private String missing(int missing) {
    return missing > version
        ? "it was written as version %d, and this is version %d".formatted(missing, version)
        : "values of version %1$d may still be there: keep from(%1$d, ..)".formatted(missing);
  }

  private @Nullable Serde<?> ofVersion(int number) {
    if (number == version) {
      return now;
    }
    Earlier<?, T> found = earlier.get(number);
    return found == null ? null : found.serde;
  }

  @Override
  public Optional<Serde<T>> writingAs(String olderSchema) {
    if (schema().equals(olderSchema)) {
      return Optional.of(this);
    }
    VersionedSchema older = VersionedSchema.parse(olderSchema);
    if (older.version() == version) {
      return now.writingAs(older.schema()).map(serde -> new Older(serde, olderSchema));
    }
    Earlier<?, T> found = earlier.get(older.version());
    return found == null || found.back == null
        ? Optional.empty()
        : turningBack(found, older.schema()).map(serde -> new Older(serde, olderSchema));
  }

  private <O> Optional<Serde<T>> turningBack(Earlier<O, T> to, String schema) {
    return to.serde
        .writingAs(schema)
        .map(serde -> new TurningBack<>(this, new Earlier<>(to.version, serde, to.forth, to.back)));
  }

  @Override
  public boolean canonical() {
    return now.canonical();
  }

  @Override
  public boolean immutable() {
    return now.immutable();
  }

  @Override
  public void write(T value, BytesWriter out) {
    writeVersion(version, out);
    now.write(value, out);
  }

  private static void writeVersion(int version, BytesWriter out) {
    out.write(MARK);
    out.writeByte(version);
  }

  @Override
  public T read(Bytes in) {
    int found = versionOf(in);
    Bytes content = in;
    if (found > 1) {
      content = new Bytes().set(in.array(), in.offset() + HEAD_BYTES, in.length() - HEAD_BYTES);
    }
    if (found == version) {
      return now.read(content);
    }
    Earlier<?, T> from = earlier.get(found);
    if (from == null) {
      throw new SerdeException(
          "%s: found a value of version %d, and can read version %d%s"
              .formatted(
                  id(),
                  found,
                  version,
                  earlier.isEmpty() ? "" : " and those of " + earlier.keySet()));
    }
    return from.read(content);
  }

  /// Returns the version of a value.
  private static int versionOf(Bytes in) {
    boolean marked =
        in.length() >= HEAD_BYTES
            && Arrays.equals(
                in.array(), in.offset(), in.offset() + MARK.length, MARK, 0, MARK.length);
    return marked ? in.array()[in.offset() + MARK.length] & 0xFF : 1;
  }

  @Override
  public String toString() {
    return id();
  }

  /// Reads what this serde reads, and writes what an older version of the application reads.
  private final class Older implements Serde<T> {
    private final Serde<T> writer;
    private final String schema;

    Older(Serde<T> writer, String schema) {
      this.writer = writer;
      this.schema = schema;
    }

    @Override
    public String id() {
      return VersionedSerde.this.id();
    }

    @Override
    public String schema() {
      return schema;
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return VersionedSerde.this.canRead(writtenSchema);
    }

    @Override
    public Optional<Serde<T>> writingAs(String olderSchema) {
      return VersionedSerde.this.writingAs(olderSchema);
    }

    @Override
    public void write(T value, BytesWriter out) {
      if (!(writer instanceof TurningBack<?, ?>)) {
        writeVersion(version, out);
      }
      writer.write(value, out);
    }

    @Override
    public T read(Bytes in) {
      return VersionedSerde.this.read(in);
    }

    @Override
    public boolean canonical() {
      return VersionedSerde.this.canonical();
    }

    @Override
    public boolean immutable() {
      return VersionedSerde.this.immutable();
    }
  }

  /// Writes values of an earlier version, from which the same value is made again.
  private record TurningBack<O, T>(VersionedSerde<T> now, Earlier<O, T> to) implements Serde<T> {
    @Override
    public String id() {
      return now.id();
    }

    @Override
    public void write(T value, BytesWriter out) {
      O old = to.turnedBack(value);
      T again = to.forth.apply(old);
      if (!again.equals(value) && !Arrays.equals(bytes(again), bytes(value))) {
        throw OlderFormat.refused(
            "%s would be %s after a way back to version %d".formatted(value, again, to.version));
      }
      if (to.version > 1) {
        writeVersion(to.version, out);
      }
      to.serde.write(old, out);
    }

    private byte[] bytes(T value) {
      BytesWriter out = new BytesWriter();
      now.now.write(value, out);
      return out.toByteArray();
    }

    @Override
    public T read(Bytes in) {
      return now.read(in);
    }
  }
}

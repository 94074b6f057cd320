package dev.millrace.api.serde;

import java.util.List;
import java.util.Optional;

/// Turns values of one type into bytes and back.
///
/// A serde is shared by all tasks and threads of a job: it holds no state that changes. Methods
/// throw [SerdeException] for bytes or values they cannot handle; the engine adds topic, partition
/// and offset and applies the policy for bad input.
///
/// @param <T> the type; a serde neither gets nor returns null (a null value is no bytes at all)
public interface Serde<T> {

  /// A stable name of the format, such as `string` or `record:dev.example.Trend`. It is recorded
  /// with stores and internal topics; opening them with a serde of another id is refused.
  String id();

  /// A description of the shape of what is written, compared like [#id] but with the serde's own
  /// idea of compatibility; see [#canRead].
  default String schema() {
    return id();
  }

  /// Whether bytes written under `writtenSchema` can be read by this serde.
  default boolean canRead(String writtenSchema) {
    return schema().equals(writtenSchema);
  }

  /// Returns a serde that reads what this one reads, and writes what a program reads whose serde
  /// has an older schema: such programs run beside this one while a new version is rolled out, and
  /// may be returned to. Empty if there is none. Values that the older schema cannot express are
  /// refused by it with a [SerdeException].
  ///
  /// @param olderSchema the [#schema] of the older program's serde, which this one [can
  ///   read][#canRead]
  default Optional<Serde<T>> writingAs(String olderSchema) {
    return schema().equals(olderSchema) ? Optional.of(this) : Optional.empty();
  }

  /// Returns what is lost if a program goes back to an older schema after it has written values [as
  /// that][#writingAs]: components that were added or removed, as noun phrases. Nothing is said of
  /// schemas of serdes from elsewhere.
  static List<String> losses(String olderSchema, String schema) {
    return SchemaChange.losses(olderSchema, schema);
  }

  /// Appends the bytes of `value`.
  void write(T value, BytesWriter out);

  /// Reads a value from the whole of `in`. The view is valid only during the call: nothing of it is
  /// kept in what is returned. In tests its memory is overwritten after the call.
  T read(Bytes in);

  /// Whether equal values always give equal bytes. Needed of keys.
  default boolean canonical() {
    return false;
  }

  /// Whether the unsigned order of the bytes is the natural order of the values. Needed of the keys
  /// of stores that are read in ranges.
  default boolean ordered() {
    return false;
  }

  /// How many bytes every value takes, if that is the same for all of them and they cannot be
  /// changed, as with numbers; otherwise 0. A store keeps the values of a few bytes as bytes: what
  /// it returns equals what was put, and need not be the same object.
  default int fixedBytes() {
    return 0;
  }

  /// Whether values cannot be changed by anybody who holds them, as is so of numbers, texts and
  /// records of them. A commit of a store of such values is encoded bit by bit, while records are
  /// processed; others are encoded at once.
  default boolean immutable() {
    return fixedBytes() > 0;
  }

  /// Whether a value in a topic is partly in the headers of its record. Then [#read(Bytes,
  /// RecordHeaders)] and [#write(Object, RecordHeaders, BytesWriter)] are called for the values of
  /// sources and sinks. In state and between tasks, and for keys, there are no headers: the other
  /// two methods are called there and need not have the same format.
  default boolean usesHeaders() {
    return false;
  }

  /// Reads a value of a topic; see [#usesHeaders].
  default T read(Bytes in, RecordHeaders headers) {
    return read(in);
  }

  /// Appends the bytes of a value for a topic; see [#usesHeaders].
  ///
  /// @param headers those that the record has so far, which may be changed
  default void write(T value, RecordHeaders headers, BytesWriter out) {
    write(value, out);
  }

  /// The serde to use for one topic; for formats whose schemas are registered by topic.
  default Serde<T> forTopic(String topic, boolean key) {
    return this;
  }
}

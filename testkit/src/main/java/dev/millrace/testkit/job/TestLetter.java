package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A dead letter: input or a result that could not be processed, with its place and cause.
///
/// @param key the key that was read, or the key of the result that failed
/// @param value the value that was read, or what the operator kept of it; null if there is none
/// @param headers as text, such as `millrace.operator`, `millrace.cause` and `millrace.offset`
public record TestLetter(@Nullable Bytes key, @Nullable Bytes value, Map<String, String> headers) {
  static TestLetter of(ModelRecord record) {
    return new TestLetter(record.key(), record.value(), headers(record));
  }

  /// Returns the headers of a record as text; of several of one name the last.
  static Map<String, String> headers(ModelRecord record) {
    Map<String, String> headers = new TreeMap<>();
    record.headers().forEach(header -> headers.put(header.name(), text(header.value())));
    return headers;
  }

  private static String text(@Nullable Bytes value) {
    return value == null ? "" : new String(value.toByteArray(), StandardCharsets.UTF_8);
  }

  /// Returns the value of a header; empty if there is none of that name.
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }
}

package dev.millrace.benchmarks.flink.nexmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// A query as a file has it.
///
/// @param fingerprint see [RowFingerprint]
record Query(String sql, String fingerprint) {
  private static final String HEAD = "-- fingerprint: ";

  static Query of(String id) {
    String file = "/nexmark/" + id + ".sql";
    try (InputStream in = Query.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("Query '%s' is not written in SQL.".formatted(id));
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      int end = text.indexOf('\n');
      return new Query(text.substring(end + 1), text.substring(HEAD.length(), end));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  /// Whether it asks a table.
  boolean asks(String table) {
    return Pattern.compile("\\b(FROM|JOIN|TABLE) " + table + "\\b").matcher(sql).find();
  }
}

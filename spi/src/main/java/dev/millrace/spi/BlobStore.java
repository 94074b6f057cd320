package dev.millrace.spi;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.Pattern;

/// Files under names in a place that every host can reach and that outlives them all: a folder on a
/// shared mount, or an object store.
///
/// A blob never changes: it comes by one [#put], whole or not at all, and goes by [#delete]. Names
/// are parts joined by `/`, each of letters, digits, `-`, `_` and `.`, which it does not begin
/// with; others are an `IllegalArgumentException`. Thread-safe, and used by many processes at once,
/// none of which knows of the others. Every method waits for the store and may throw a
/// [BlobException], of kind `UNAVAILABLE` unless something else is said. After that it is not known
/// whether a put or a deletion has happened, or will.
public interface BlobStore {
  /// How long a name may be.
  int LONGEST_NAME = 500;

  /// Puts a blob under a name unless there is one. If several are put under one name at a time, one
  /// of them is there afterwards, whole; so whoever uses one name twice has one content for it.
  ///
  /// @param sizeBytes of the content
  /// @param content read to its end, not closed
  /// @return whether it was put; false if there was one
  /// @throws IOException if the content cannot be read or has another size; nothing is put then
  boolean put(String name, long sizeBytes, InputStream content) throws IOException;

  /// Opens a blob for reading. If it is deleted meanwhile, reading may go on or fail; it never ends
  /// early without a failure, which is an `IOException`.
  ///
  /// @throws BlobException of kind `MISSING` if there is none
  InputStream open(String name);

  /// The blobs whose names begin so, in order of their names. What is put or deleted meanwhile may
  /// be among them or not.
  ///
  /// @param prefix empty for all, or some first parts of names with the `/` behind them
  List<Blob> list(String prefix);

  /// Deletes a blob; nothing if there is none.
  void delete(String name);

  /// A blob in a list.
  ///
  /// @param modifiedMillis when it was put, in milliseconds since 1970 by the store's own clock
  record Blob(String name, long sizeBytes, long modifiedMillis) {}

  /// Checks the look of a name.
  ///
  /// @return the name itself
  /// @throws IllegalArgumentException if a blob cannot have it
  static String checkName(String name) {
    if (name.length() > LONGEST_NAME || !Names.BLOB.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no name of a blob: it has parts of letters, digits, '-', '_' and '.', joined by '/', and at most %d characters"
              .formatted(name, LONGEST_NAME));
    }
    return name;
  }

  /// Checks the look of a prefix.
  ///
  /// @return the prefix itself
  /// @throws IllegalArgumentException if it is neither empty nor a name with a `/` behind it
  static String checkPrefix(String prefix) {
    if (!prefix.isEmpty()) {
      if (!prefix.endsWith("/")) {
        throw new IllegalArgumentException("the prefix '" + prefix + "' does not end with '/'");
      }
      checkName(prefix.substring(0, prefix.length() - 1));
    }
    return prefix;
  }

  /// How names look.
  final class Names {
    private static final Pattern BLOB =
        Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");

    private Names() {}
  }
}

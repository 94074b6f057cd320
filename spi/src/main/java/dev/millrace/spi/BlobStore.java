package dev.millrace.spi;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.Pattern;

/// Stores files by name in a place that every host can reach and that survives the loss of any
/// host: a folder on a shared mount, or an object store.
///
/// A blob never changes: [#put] creates it, whole or not at all, and [#delete] removes it. A name
/// consists of parts joined by `/`; each part has letters, digits, `-`, `_` and `.`, and does not
/// begin with `.`. Other names cause an `IllegalArgumentException`. Thread-safe, and used by many
/// processes at once, without coordination. Every method waits for the store and may throw a
/// [BlobException], of kind `UNAVAILABLE` unless stated otherwise. After that it is unknown whether
/// a put or a deletion has taken effect, or will.
public interface BlobStore {
  /// The greatest length of a name, in characters.
  int LONGEST_NAME = 500;

  /// Puts a blob under a name unless there is one. If several blobs are put under one name at the
  /// same time, one of them is stored, whole; so all blobs that are put under one name must have
  /// the same content.
  ///
  /// @param sizeBytes the size of the content
  /// @param content read to its end, not closed
  /// @return whether the blob was put; false if there was one
  /// @throws IOException if the content cannot be read or has another size; nothing is put then
  boolean put(String name, long sizeBytes, InputStream content) throws IOException;

  /// Opens a blob for reading. If it is deleted meanwhile, reading may continue or fail with an
  /// `IOException`; it never ends early without a failure.
  ///
  /// @throws BlobException of kind `MISSING` if there is none
  InputStream open(String name);

  /// Returns the blobs whose names begin with a prefix, ordered by name. Blobs that are put or
  /// deleted meanwhile may be included or not.
  ///
  /// @param prefix empty for all, or the first parts of names, with a `/` at the end
  List<Blob> list(String prefix);

  /// Deletes a blob. Does nothing if there is none.
  void delete(String name);

  /// A blob in a list.
  ///
  /// @param modifiedMillis when it was put, in milliseconds since 1970 by the store's own clock
  record Blob(String name, long sizeBytes, long modifiedMillis) {}

  /// Checks that a name is valid for a blob.
  ///
  /// @return the name itself
  /// @throws IllegalArgumentException if the name is not valid
  static String checkName(String name) {
    if (name.length() > LONGEST_NAME || !Names.BLOB.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a valid name of a blob: a name has parts of letters, digits, '-', '_' and '.', joined by '/', and at most %d characters"
              .formatted(name, LONGEST_NAME));
    }
    return name;
  }

  /// Checks that a prefix is valid for [#list].
  ///
  /// @return the prefix itself
  /// @throws IllegalArgumentException if it is neither empty nor a name with a `/` at the end
  static String checkPrefix(String prefix) {
    if (!prefix.isEmpty()) {
      if (!prefix.endsWith("/")) {
        throw new IllegalArgumentException("the prefix '" + prefix + "' does not end with '/'");
      }
      checkName(prefix.substring(0, prefix.length() - 1));
    }
    return prefix;
  }

  /// The syntax of names.
  final class Names {
    private static final Pattern BLOB =
        Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");

    private Names() {}
  }
}

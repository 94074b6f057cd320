package dev.millrace.spi;

import java.io.InputStream;
import java.util.List;

/// A [Disk] as it was at one moment, as immutable files.
///
/// It is taken on the thread of the disk and used by one other thread, while the disk is used
/// further, until [#close], which frees the space that only the image still needs. After the disk
/// is closed, files of the image may be gone: reading them may fail, but never returns other
/// content.
public interface DiskImage extends AutoCloseable {

  /// Returns the position of the disk at that moment.
  byte[] position();

  /// Returns all files, ordered by name.
  List<File> files();

  /// Opens a file for reading; failures of reading are `IOException`s.
  ///
  /// @throws DiskException if it cannot be opened
  InputStream open(String name);

  /// Releases the files. Closing again does nothing.
  @Override
  void close();

  /// @param name letters, digits, `-` and `.`, which it does not begin with
  /// @param lasting whether a file of this name in another image of the same open disk has the same
  ///   content
  record File(String name, long sizeBytes, boolean lasting) {}
}

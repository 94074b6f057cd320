package dev.millrace.spi;

import java.io.InputStream;
import java.util.List;

/// A [Disk] as it was at one moment, as files that do not change any more.
///
/// It is taken on the thread of the disk and used by one other thread while the disk goes on, until
/// [#close], which gives back the space that only the image still needs. When the disk is closed,
/// what is left of the image may be gone: reading it then may fail, but never gives anything else.
public interface DiskImage extends AutoCloseable {

  /// The position of the disk at that moment.
  byte[] position();

  /// All files, in order of their names.
  List<File> files();

  /// Opens a file for reading; failures of reading are `IOException`s.
  ///
  /// @throws DiskException if it cannot be opened
  InputStream open(String name);

  /// Lets go of the files. Closing it again does nothing.
  @Override
  void close();

  /// @param name letters, digits, `-` and `.`, which it does not begin with
  /// @param lasting whether a file of this name in another image of the same open disk has the same
  ///   content
  record File(String name, long sizeBytes, boolean lasting) {}
}

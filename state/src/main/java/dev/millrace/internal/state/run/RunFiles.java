package dev.millrace.internal.state.run;

import java.util.SortedSet;

/// The operations of a file system that sorted runs need: one flat folder of files that are written
/// once, from the start to the end, and then only read. From here to [#close] it belongs to one
/// process.
///
/// What is promised after a loss of power is what POSIX promises, which is little: of a file, the
/// bytes appended before its last [Appender#sync]; of the names, what [#list] gave at the last
/// [#syncNames]. Anything later may be there, partly there, torn or missing, each thing by itself.
/// After a mere kill of the process everything is there.
///
/// Every method throws a [dev.millrace.spi.DiskException] that names the file: of kind `FULL` if no
/// space is left, `CORRUPT` if a file ends before what is read from it, `IO` otherwise. The folder
/// is thread-safe, one file is used by one thread at a time.
public interface RunFiles extends AutoCloseable {

  /// Returns the names of all files, in order.
  SortedSet<String> list();

  /// Creates an empty file to be written. The name must not exist.
  Appender create(String name);

  /// Opens a file for reading.
  Content open(String name);

  /// Gives a file another name, in one step, replacing the file that had it.
  void rename(String from, String to);

  /// Deletes a file.
  void delete(String name);

  /// Makes all names durable: what was created, renamed and deleted so far.
  void syncNames();

  /// Returns the name of a file for messages, such as its path.
  String describe(String name);

  @Override
  void close();

  /// A file being written.
  interface Appender extends AutoCloseable {
    void append(byte[] bytes, int offset, int length);

    /// Makes what was appended durable. After it failed, nothing is known about any byte of the
    /// file.
    void sync();

    /// Without a sync.
    @Override
    void close();
  }

  /// A file being read.
  interface Content extends AutoCloseable {
    /// In bytes.
    long length();

    /// Reads exactly `length` bytes from `position` on.
    void read(long position, byte[] into, int offset, int length);

    @Override
    void close();
  }
}

package dev.millrace.spi;

import java.io.IOException;
import java.io.InputStream;
import java.util.SortedMap;

/// Collects the files of a [DiskImage] that are to become a task's disk.
///
/// The files are not part of any disk. They are kept when the stage is closed or the process ends,
/// so that the next stage of the task continues with them; after a loss of power, files may be
/// torn. Used by one thread. Failures of the disk are [DiskException]s.
public interface DiskStage extends AutoCloseable {

  /// Returns the sizes of the files collected so far, by name. They may be incomplete.
  SortedMap<String, Long> files();

  /// Opens a collected file for reading; failures of reading are `IOException`s.
  InputStream open(String name);

  /// Writes a file, replacing one of that name.
  ///
  /// @param name as in [DiskImage.File]; others are an `IllegalArgumentException`
  /// @param content read to its end, not closed
  /// @throws IOException if the content cannot be read; part of the file may be there then
  void write(String name, InputStream content) throws IOException;

  /// Deletes a collected file.
  void delete(String name);

  /// Makes the collected files the task's disk and replaces the one that it has, if any. After a
  /// crash at any moment, the task has its old disk, or none, or the whole new one. The stage is
  /// empty afterwards.
  ///
  /// @throws DiskException of kind `CORRUPT` if the files are not a disk, as far as that can be
  ///   seen without reading them all; nothing is changed then
  void publish();

  /// Deletes all collected files.
  void discard();

  /// Ends the stage, so that the task's disk can be opened again. Deletes nothing.
  @Override
  void close();
}

package dev.millrace.spi;

import java.io.IOException;
import java.io.InputStream;
import java.util.SortedMap;

/// Where the files of a [DiskImage] are gathered that are to become a task's disk.
///
/// What is gathered is no part of any disk and stays when the stage or the process ends, so that
/// the next stage of the task goes on from there; after a loss of power, files may be torn. Used by
/// one thread. Failures of the disk are [DiskException]s.
public interface DiskStage extends AutoCloseable {

  /// The sizes of the files gathered so far, by name. Whether they are whole is not known.
  SortedMap<String, Long> files();

  /// Opens a gathered file for reading; failures of reading are `IOException`s.
  InputStream open(String name);

  /// Writes a file, replacing one of that name.
  ///
  /// @param name as in [DiskImage.File]; others are an `IllegalArgumentException`
  /// @param content read to its end, not closed
  /// @throws IOException if the content cannot be read; part of the file may be there then
  void write(String name, InputStream content) throws IOException;

  /// Deletes a gathered file.
  void delete(String name);

  /// Makes the gathered files the task's disk, in place of the one it has, if any. After a crash at
  /// any moment the task has the disk that it had, or none, or the new one, whole. The stage is
  /// empty afterwards.
  ///
  /// @throws DiskException of kind `CORRUPT` if the files are no disk, as far as that can be seen
  ///   without reading them all; nothing has happened then
  void publish();

  /// Deletes all that was gathered.
  void discard();

  /// Lets the task's disk be opened again. Deletes nothing.
  @Override
  void close();
}

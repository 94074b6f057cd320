package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.spi.DiskException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Converts failures of RocksDB to [DiskException]s with a kind and a remedy.
final class RocksFailure {
  private RocksFailure() {}

  /// Returns the exception for a failure while a database is open.
  ///
  /// @param what what went wrong, to follow the path in the message
  static DiskException of(Path directory, String what, RocksDBException e) {
    return of(kind(e), directory, what, e);
  }

  /// Returns a failure to open a database. That a file is missing proves here that the state is
  /// incomplete; RocksDB has several codes for it.
  static DiskException ofOpening(Path directory, RocksDBException e) {
    String message = String.valueOf(e.getMessage());
    boolean fileIsMissing =
        message.contains("No such file or directory") || message.contains("does not exist");
    DiskException.Kind kind = fileIsMissing ? DiskException.Kind.CORRUPT : kind(e);
    return of(kind, directory, "could not be opened", e);
  }

  static DiskException corrupt(Path path, String how, @Nullable Throwable cause) {
    return new DiskException(
        DiskException.Kind.CORRUPT,
        "%s %s; %s".formatted(path, how, wayOut(DiskException.Kind.CORRUPT)),
        cause);
  }

  private static DiskException of(
      DiskException.Kind kind, Path directory, String what, RocksDBException e) {
    String status = e.getStatus() == null ? "no status" : e.getStatus().getCodeString();
    return new DiskException(
        kind,
        "%s %s: %s (%s); %s".formatted(directory, what, e.getMessage(), status, wayOut(kind)),
        e);
  }

  private static DiskException.Kind kind(RocksDBException e) {
    Status status = e.getStatus();
    if (status == null) {
      return DiskException.Kind.IO;
    }
    return switch (status.getCode()) {
      case Corruption -> DiskException.Kind.CORRUPT;
      case IOError ->
          // RocksDB forgets its own code where it packs one failure into another, as for the file
          // of its options, and has none for a quota.
          status.getSubCode() == Status.SubCode.NoSpace
                  || PrivateFiles.tellsOfNoSpace(String.valueOf(e.getMessage()))
              ? DiskException.Kind.FULL
              : DiskException.Kind.IO;
      default -> DiskException.Kind.IO;
    };
  }

  private static String wayOut(DiskException.Kind kind) {
    return switch (kind) {
      case CORRUPT -> "the task's state must be wiped and restored";
      case FULL -> "free some space and try again";
      case IN_USE -> "stop the process that holds it";
      case IO -> "restart the task; nothing needs to be wiped";
    };
  }
}

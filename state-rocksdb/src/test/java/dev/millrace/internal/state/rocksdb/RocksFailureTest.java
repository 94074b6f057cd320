package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.DiskException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class RocksFailureTest {
  private static final Path DIRECTORY = Path.of("state", "1-3");

  @Test
  void aLackOfSpaceIsToldFromOtherErrors() {
    assertEquals(
        DiskException.Kind.FULL, kindOf(Status.Code.IOError, Status.SubCode.NoSpace, "No space"));
    assertEquals(
        DiskException.Kind.IO, kindOf(Status.Code.IOError, Status.SubCode.None, "while reading"));
  }

  /// As it was seen when a database was opened on a full file system.
  @Test
  void aLackOfSpaceIsToldFromOtherErrorsWhenItIsPackedIntoAnother() {
    for (String cause : List.of("No space left on device", "Disk quota exceeded")) {
      String message =
          "DB::Open() failed --- Unable to persist Options file: IO error: Unable to persist"
              + " options.: IO error: %s: While appending to file: OPTIONS-000012.dbtmp"
                  .formatted(cause);
      assertEquals(
          DiskException.Kind.FULL, kindOf(Status.Code.IOError, Status.SubCode.None, message));
    }
  }

  @Test
  void onlyWhatRocksDbCallsCorruptIsCorruptWhileADatabaseIsOpen() {
    assertEquals(
        DiskException.Kind.CORRUPT,
        kindOf(Status.Code.Corruption, Status.SubCode.None, "block checksum mismatch"));
    for (Status.Code code :
        new Status.Code[] {Status.Code.NotFound, Status.Code.Busy, Status.Code.InvalidArgument}) {
      assertEquals(
          DiskException.Kind.IO, kindOf(code, Status.SubCode.None, "No such file or directory"));
    }
  }

  @Test
  void aMissingFileIsCorruptWhenADatabaseIsOpened() {
    DiskException failure =
        RocksFailure.ofOpening(
            DIRECTORY,
            new RocksDBException(
                "No such file or directory: db/000012.sst",
                new Status(Status.Code.IOError, Status.SubCode.None, "")));
    assertEquals(DiskException.Kind.CORRUPT, failure.kind());
  }

  @Test
  void theMessageNamesDirectoryCauseAndWayOut() {
    String message = failure(Status.Code.IOError, Status.SubCode.NoSpace, "No space").getMessage();
    assertTrue(message.contains(DIRECTORY.toString()), message);
    assertTrue(message.contains("No space"), message);
    assertTrue(message.contains("free some space"), message);
  }

  @Test
  void anExceptionWithoutAStatusIsAnError() {
    assertEquals(
        DiskException.Kind.IO,
        RocksFailure.of(DIRECTORY, "failed", new RocksDBException("?")).kind());
  }

  private static DiskException.Kind kindOf(
      Status.Code code, Status.SubCode subCode, String message) {
    return failure(code, subCode, message).kind();
  }

  private static DiskException failure(Status.Code code, Status.SubCode subCode, String message) {
    return RocksFailure.of(
        DIRECTORY, "failed", new RocksDBException(message, new Status(code, subCode, message)));
  }
}

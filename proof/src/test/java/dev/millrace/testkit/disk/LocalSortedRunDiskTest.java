package dev.millrace.testkit.disk;

import dev.millrace.internal.state.run.LocalFiles;
import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.DurableDiskContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalSortedRunDiskTest extends DurableDiskContract {
  @TempDir private Path directory;

  @Override
  protected Disks openDisks() {
    return new SortedRunDisks(new LocalFiles(directory.resolve("state")));
  }

  /// Each of them syncs.
  @Override
  protected int histories() {
    return 3;
  }
}

package dev.millrace.internal.state.rocksdb;

import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.DurableDiskContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksDiskTest extends DurableDiskContract {
  @TempDir private Path directory;

  @Override
  protected Disks openDisks() {
    return new RocksDisks(directory.resolve("app-0"), RocksDiskConfig.defaults());
  }

  /// Each of them syncs.
  @Override
  protected int histories() {
    return 3;
  }
}

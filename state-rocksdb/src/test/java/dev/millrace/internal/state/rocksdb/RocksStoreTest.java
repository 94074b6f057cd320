package dev.millrace.internal.state.rocksdb;

import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksStoreTest extends StoreContract {
  @TempDir Path directory;

  @Override
  protected Disks openDisks() {
    return new RocksDisks(directory.resolve("state"), RocksDiskConfig.defaults());
  }

  /// Each restart of its history opens a database, and each flush is synced.
  @Override
  protected int seeds() {
    return 1;
  }

  @Override
  protected int operations() {
    return 100;
  }
}

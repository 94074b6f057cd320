package dev.millrace.internal.state.rocksdb;

import dev.millrace.spi.Disks;
import java.nio.file.Path;

/// Provides disks on RocksDB to programs that do not depend on it, by [java.util.ServiceLoader].
public final class RocksDisksProvider implements Disks.Provider {
  private static final RocksDiskConfig SMALL = new RocksDiskConfig(1 << 20, 1, 20);

  /// Called by the service loader.
  public RocksDisksProvider() {}

  @Override
  public Disks open(Path directory) {
    return new RocksDisks(directory, SMALL);
  }
}

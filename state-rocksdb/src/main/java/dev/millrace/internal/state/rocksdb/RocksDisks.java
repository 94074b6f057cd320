package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.OpenDisks;
import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.local.StateDirectory;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.nio.file.Path;
import java.util.List;

/// The disks of a container's tasks, each one a RocksDB, in one directory. Thread-safe.
///
/// The directory is held by this process until [#close]; a failure in another process names the
/// holder. It is private to its owner, and no symbolic link in it is followed. There is one
/// directory for one container of one application: it outlives the process and is what makes
/// recovery short.
public final class RocksDisks implements Disks {
  private final StateDirectory directory;
  private final Path tasks;
  private final SharedNatives natives;
  private final OpenDisks open = new OpenDisks();

  /// @param directory created if need be; its last part should name application and container
  /// @throws dev.millrace.spi.DiskException of kind `IN_USE`, naming the holder, if it is held
  ///   already
  public RocksDisks(Path directory, RocksDiskConfig config) {
    this.directory = StateDirectory.hold(directory);
    tasks = this.directory.path().resolve("tasks");
    SharedNatives created = null;
    try {
      Path library = this.directory.path().resolve("native");
      PrivateFiles.createDirectory(library);
      RocksLibrary.load(library);
      PrivateFiles.createDirectory(tasks);
      TaskDirectory.deleteLeftovers(tasks);
      created = new SharedNatives(config);
    } finally {
      if (created == null) {
        this.directory.close();
      }
    }
    natives = created;
  }

  @Override
  public Disk open(String task) {
    return open.open(
        task, afterClose -> RocksDisk.open(new TaskDirectory(tasks, task), natives, afterClose));
  }

  @Override
  public void wipe(String task) {
    open.whileClosed(task, () -> new TaskDirectory(tasks, task).wipe());
  }

  @Override
  public DiskStage stage(String task) {
    return open.keepClosed(
        task, afterClose -> new RocksStage(new TaskDirectory(tasks, task), afterClose));
  }

  /// Returns the size of the block cache's content, including indexes and filters.
  @Override
  public long memoryBytes() {
    return natives.cachedBytes();
  }

  @Override
  public void close() {
    OpenDisks.closeAll(List.of(open::closeAll, natives::close, directory::close));
  }
}

package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.HomeDirectory;
import dev.millrace.internal.state.local.LockFile;
import dev.millrace.internal.state.local.OpenDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Function;

/// The disks of a process's tasks, each one a RocksDB, in a home that it shares with other
/// processes of the application. Thread-safe.
///
/// A task's state is held by this process from the opening of its disk, or stage, to its closing; a
/// failure in another process names the holder. The home is private to its owner, and no symbolic
/// link in it is followed. It outlives the processes and is what makes recovery short.
public final class RocksDisks implements Disks {
  private final HomeDirectory home;
  private final String user = UUID.randomUUID().toString();
  private final Duration patience;
  private final SharedNatives natives;
  private final OpenDisks open = new OpenDisks();

  /// Does not wait for tasks that other processes hold.
  ///
  /// @param home created if need be; its name should be that of the application
  public RocksDisks(Path home, RocksDiskConfig config) {
    this(home, config, Duration.ZERO);
  }

  /// @param home created if need be; its name should be that of the application
  /// @param patience how long to wait for another process that is about to give a task up
  /// @throws DiskException of kind `IN_USE`, if somebody is about to remove the home
  public RocksDisks(Path home, RocksDiskConfig config, Duration patience) {
    this.home = HomeDirectory.share(home);
    this.patience = patience;
    SharedNatives created = null;
    try {
      RocksLibrary.load(this.home.libraries());
      deleteLeftovers();
      created = new SharedNatives(config);
    } finally {
      if (created == null) {
        this.home.close();
      }
    }
    natives = created;
  }

  /// Deletes what killed processes have left; of the tasks that others hold it is not left.
  private void deleteLeftovers() {
    for (String task : TaskDirectory.tasksWithLeftovers(home.tasks())) {
      try (LockFile _ = home.holdTask(task, Duration.ZERO)) {
        directory(task).deleteLeftovers();
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.IN_USE) {
          throw e;
        }
      }
    }
  }

  @Override
  public Disk open(String task) {
    return open.open(
        task,
        afterClose ->
            held(task, afterClose, release -> RocksDisk.open(directory(task), natives, release)));
  }

  @Override
  public void wipe(String task) {
    open.whileClosed(
        task,
        () -> {
          try (LockFile _ = home.holdTask(task, patience)) {
            directory(task).deleteLeftovers();
            directory(task).wipe();
          }
        });
  }

  @Override
  public DiskStage stage(String task) {
    return open.keepClosed(
        task,
        afterClose -> held(task, afterClose, release -> new RocksStage(directory(task), release)));
  }

  /// Makes what holds the task until it is closed.
  ///
  /// @param maker gets what is to be run at that end
  private <T> T held(String task, Runnable afterClose, Function<Runnable, T> maker) {
    LockFile lock = home.holdTask(task, patience);
    boolean made = false;
    try {
      directory(task).deleteLeftovers();
      T holder =
          maker.apply(() -> {
            try {
              lock.close();
            } finally {
              afterClose.run();
            }
          });
      made = true;
      return holder;
    } finally {
      if (!made) {
        lock.close();
      }
    }
  }

  private TaskDirectory directory(String task) {
    return new TaskDirectory(home.tasks(), task, user);
  }

  @Override
  public SortedSet<String> stored() {
    return home.stored();
  }

  /// Returns the size of the block cache's content, including indexes and filters.
  @Override
  public long memoryBytes() {
    return natives.cachedBytes();
  }

  /// Returns the size of the files of the tasks that this process holds, as far as that can be seen
  /// while they are written.
  public long fileBytes() {
    return open.tasks().stream().mapToLong(task -> directory(task).fileBytes()).sum();
  }

  @Override
  public void close() {
    OpenDisks.closeAll(List.of(open::closeAll, natives::close, home::close));
  }
}

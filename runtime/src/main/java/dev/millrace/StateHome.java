package dev.millrace;

import dev.millrace.config.HttpConfig;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.rocksdb.RocksDiskConfig;
import dev.millrace.internal.state.rocksdb.RocksDisks;
import dev.millrace.spi.Clock;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The directory of one container's state on this host: `<state>/<application>/container-<n>`. It
/// has a name that no other directory has, so that it is known who used it last.
final class StateHome implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Path directory;
  private final String name;
  private final RocksDiskConfig config;
  private @Nullable Disks disks;
  private volatile String inUse = "";

  /// @param blockCacheBytes for blocks of state on disk
  StateHome(Path state, String application, int container, long blockCacheBytes) {
    config = RocksDiskConfig.defaults().withBlockCacheBytes(blockCacheBytes);
    Path parent = state.resolve(application);
    directory = parent.resolve("container-" + container);
    name = readName(parent.resolve("container-" + container + ".id"));
  }

  private static String readName(Path file) {
    try {
      Path parent = Objects.requireNonNull(file.toAbsolutePath().getParent());
      Files.createDirectories(parent);
      if (!Files.exists(file)) {
        Path draft = Files.createTempFile(parent, "id", ".new");
        try {
          Files.writeString(draft, UUID.randomUUID().toString());
          Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
          Files.deleteIfExists(draft);
        }
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      DiskException failure = PrivateFiles.failure("could not be written", file, e);
      if (failure.kind() == DiskException.Kind.FULL) {
        throw failure;
      }
      throw new DiskException(
          DiskException.Kind.IO,
          "The id of the state directory cannot be read from %s: %s. Set state.directory to a directory that this user can write to."
              .formatted(file, e),
          e);
    }
  }

  String name() {
    return name;
  }

  /// Returns how large the state is, as far as that can be seen while it is written. Thread-safe.
  long bytes() {
    if (!Files.exists(directory)) {
      return 0;
    }
    long[] sum = {0};
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sum[0] += attributes.size();
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // it was removed meanwhile
            }
          });
    } catch (IOException _) {
      return sum[0]; // a directory was removed meanwhile
    }
    return sum[0];
  }

  /// @param httpPort where metrics are served; negative if they are not
  Holder self(Clock clock, HttpConfig http, int httpPort) {
    String host = host();
    return new Holder(
        host,
        ProcessHandle.current().pid(),
        clock.millis(),
        name,
        httpPort < 0 ? "" : http.reachedAt(host) + ":" + httpPort);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown host";
    }
  }

  /// Takes the directory, if no other process of this host has it. Thread-safe.
  boolean tryHoldNow() {
    try {
      return tryHold();
    } catch (DiskException e) {
      if (e.kind() == DiskException.Kind.FULL) {
        return false; // the start waits for space later
      }
      throw e;
    }
  }

  /// Takes the directory unless another process has it. Thread-safe.
  synchronized boolean tryHold() {
    if (disks != null) {
      return true;
    }
    try {
      disks = new RocksDisks(directory, config);
      return true;
    } catch (DiskException e) {
      if (e.kind() == DiskException.Kind.IN_USE) {
        inUse = Objects.requireNonNullElse(e.getMessage(), "");
        return false;
      }
      throw e;
    }
  }

  /// Returns which process held which directory at the last attempt to take it.
  String inUse() {
    return inUse;
  }

  /// Records the owner of the state in the directory, which is held.
  void belongsTo(OwnerFile.Owner owner) {
    OwnerFile.write(directory, owner);
  }

  /// Takes the directory, waiting a while for a process that is about to give it up.
  synchronized Disks hold() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!tryHold() && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    Disks held = disks;
    if (held == null) {
      // Says who has it; and if it is free at last, it is closed like any other.
      held = new RocksDisks(directory, config);
      disks = held;
    }
    return held;
  }

  @Override
  public synchronized void close() {
    Disks closing = disks;
    if (closing != null) {
      closing.close();
    }
  }
}

package dev.millrace;

import dev.millrace.config.HttpConfig;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.state.local.HomeDirectory;
import dev.millrace.internal.state.local.LockFile;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The home of an application's state on this host, `<state>/<application>`, as the process of one
/// container has it. The home has an id that no other one has, in the file `home.id`, so that it is
/// known who used it last. All processes of the application on the host share it; each task in it
/// is held by one of them, and so is the place of each container, so that whoever has that knows
/// that the container's process before has ended.
final class StateHome implements AutoCloseable {
  /// How much of the home's id is in the names of its processes: enough that no other home has the
  /// same.
  private static final int ID_DIGITS = 12;

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Path path;
  private int container;
  private final boolean comesAndGoes;
  private final String name;
  private final RocksDiskConfig config;
  private @Nullable HomeDirectory home;
  private @Nullable LockFile place;
  private volatile @Nullable RocksDisks disks;
  private volatile String inUse = "";

  /// @param container -1 for the first one whose place is free
  /// @param blockCacheBytes for blocks of state on disk
  StateHome(Path state, String application, int container, long blockCacheBytes) {
    config = RocksDiskConfig.defaults().withBlockCacheBytes(blockCacheBytes);
    path = real(state.resolve(application));
    this.container = container;
    comesAndGoes = container < 0;
    name = readName();
  }

  /// Returns the directory itself where a link leads to it, as one may that stands outside it.
  private static Path real(Path directory) {
    try {
      return Files.isSymbolicLink(directory) ? directory.toRealPath() : directory;
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be read", directory, e);
    }
  }

  private String readName() {
    Path file = path.resolve(HomeDirectory.ID);
    try {
      if (!Files.exists(file)) {
        try (HomeDirectory shared = HomeDirectory.share(path);
            LockFile _ = shared.holdFiles()) {
          writeName(file);
        }
      }
      return Files.readString(file).strip();
    } catch (DiskException e) {
      if (e.kind() != DiskException.Kind.IO) {
        throw e;
      }
      throw unreadable(file, e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// Writes the id of a home, if it has none. A process before this one may have had a directory
  /// for its container alone, with a name of its own: it is recognized by that.
  private void writeName(Path file) throws IOException {
    if (Files.exists(file)) {
      return; // a neighbour was faster
    }
    Path former = FormerLayout.idOf(path, Math.max(0, container));
    String written =
        Files.exists(former) ? Files.readString(former).strip() : UUID.randomUUID().toString();
    Path draft = path.resolve(HomeDirectory.ID + ".new");
    try {
      Files.writeString(draft, written);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be written", file, e);
    }
  }

  private static DiskException unreadable(Path file, Exception cause) {
    return new DiskException(
        DiskException.Kind.IO,
        "The id of the state directory cannot be read from %s: %s. Set state.directory to a directory that this user can write to."
            .formatted(file, cause),
        cause);
  }

  /// Returns the id of the home.
  String name() {
    return name;
  }

  /// Returns how large the state of the tasks of this process is, as far as that can be seen while
  /// it is written. Thread-safe.
  long bytes() {
    RocksDisks held = disks;
    return held == null ? 0 : held.fileBytes();
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

  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown host";
    }
  }

  /// Takes the container's place, if no other process of this host has it. Thread-safe.
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

  /// Takes the container's place unless another process has it. Thread-safe.
  synchronized boolean tryHold() {
    if (disks != null) {
      return true;
    }
    try {
      takePlace();
      return true;
    } catch (DiskException e) {
      if (e.kind() == DiskException.Kind.IN_USE) {
        inUse = Objects.requireNonNullElse(e.getMessage(), "");
        return false;
      }
      throw e;
    }
  }

  /// Takes the container's place and opens the disks.
  private void takePlace() {
    boolean complete = false;
    try {
      HomeDirectory shared = HomeDirectory.share(path);
      home = shared;
      place = holdPlace(shared);
      new FormerLayout(shared).takeOver(container);
      disks = new RocksDisks(path, config, comesAndGoes ? Duration.ZERO : PATIENCE);
      complete = true;
    } finally {
      if (!complete) {
        giveUp();
      }
    }
  }

  private LockFile holdPlace(HomeDirectory shared) {
    if (container >= 0) {
      return shared.holdContainer(container);
    }
    for (int free = 0; ; free++) {
      try {
        LockFile held = shared.holdContainer(free);
        container = free;
        return held;
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.IN_USE) {
          throw e;
        }
      }
    }
  }

  /// Returns a name that no other living process has, and that the next process in this place has
  /// again. To be called once the place is held.
  String member() {
    String id = name.replace("-", "");
    return id.substring(0, Math.min(id.length(), ID_DIGITS)) + "-" + container;
  }

  private void giveUp() {
    try (HomeDirectory _ = home;
        LockFile _ = place) {
      home = null;
      place = null;
    }
  }

  /// Returns which process had the container's place at the last attempt to take it.
  String inUse() {
    return inUse;
  }

  /// Records the owner of the home, which is held.
  void belongsTo(OwnerFile.Owner owner) {
    HomeDirectory held = Objects.requireNonNull(home);
    if (!owner.equals(OwnerFile.read(held.path()))) {
      try (LockFile _ = held.holdFiles()) {
        OwnerFile.write(held.path(), owner);
      }
    }
  }

  /// Takes the container's place, waiting a while for a process that is about to give it up.
  synchronized Disks hold() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!tryHold() && System.nanoTime() < end) {
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    if (disks == null) {
      // Says who has it; and if it is free at last, it is closed like any other.
      takePlace();
    }
    return Objects.requireNonNull(disks);
  }

  @Override
  public synchronized void close() {
    try (HomeDirectory _ = home;
        LockFile _ = place;
        Disks _ = disks) {}
  }
}

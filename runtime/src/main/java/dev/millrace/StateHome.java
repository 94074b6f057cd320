package dev.millrace;

import dev.millrace.internal.state.local.HomeDirectory;
import dev.millrace.internal.state.local.LockFile;
import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.rocksdb.RocksDiskConfig;
import dev.millrace.internal.state.rocksdb.RocksDisks;
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
import org.jspecify.annotations.Nullable;

/// The home of an application's state on this host, `<state>/<application>`, as one process has it.
/// The home has an id that no other one has, in the file `home.id`, so that it is known who used it
/// last. All processes of the application on the host share it: each has a place, the first one
/// that is free, and whoever has that knows that the process before has ended. Each task in the
/// home is held by one of them, too.
final class StateHome implements Home {
  /// How much of the home's id is in the names of its processes: enough that no other home has the
  /// same.
  private static final int ID_DIGITS = 12;

  private final Path path;
  private final String name;
  private final RocksDiskConfig config;
  private @Nullable HomeDirectory home;
  private @Nullable LockFile place;
  private int number;
  private volatile @Nullable RocksDisks disks;

  /// @param blockCacheBytes for blocks of state on disk
  StateHome(Path state, String application, long blockCacheBytes) {
    config = RocksDiskConfig.defaults().withBlockCacheBytes(blockCacheBytes);
    path = real(state.resolve(application));
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
    Path former = FormerLayout.idOf(path, 0);
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

  @Override
  public String name() {
    return name;
  }

  /// Returns how large the state of the tasks of this process is, as far as that can be seen while
  /// it is written. Thread-safe.
  @Override
  public long bytes() {
    RocksDisks held = disks;
    return held == null ? 0 : held.fileBytes();
  }

  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown host";
    }
  }

  /// Takes the first place that is free, and opens the disks.
  @Override
  public synchronized Disks hold() {
    RocksDisks opened = disks;
    if (opened == null) {
      opened = takePlace();
      disks = opened;
    }
    return opened;
  }

  private RocksDisks takePlace() {
    boolean complete = false;
    try {
      HomeDirectory shared = HomeDirectory.share(path);
      home = shared;
      place = holdPlace(shared);
      new FormerLayout(shared).takeOver();
      RocksDisks opened = new RocksDisks(path, config, Duration.ZERO);
      complete = true;
      return opened;
    } finally {
      if (!complete) {
        giveUp();
      }
    }
  }

  private LockFile holdPlace(HomeDirectory shared) {
    for (number = 0; ; number++) {
      try {
        return shared.holdContainer(number);
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.IN_USE) {
          throw e;
        }
      }
    }
  }

  /// Returns a name that no other living process has, and that the next process in this place has
  /// again. To be called once the place is held.
  @Override
  public String member() {
    String id = name.replace("-", "");
    return id.substring(0, Math.min(id.length(), ID_DIGITS)) + "-" + number;
  }

  private void giveUp() {
    try (HomeDirectory _ = home;
        LockFile _ = place) {
      home = null;
      place = null;
    }
  }

  @Override
  public void belongsTo(OwnerFile.Owner owner) {
    HomeDirectory held = Objects.requireNonNull(home);
    if (!owner.equals(OwnerFile.read(held.path()))) {
      try (LockFile _ = held.holdFiles()) {
        OwnerFile.write(held.path(), owner);
      }
    }
  }

  @Override
  public synchronized void close() {
    try (HomeDirectory _ = home;
        LockFile _ = place;
        Disks _ = disks) {}
  }
}

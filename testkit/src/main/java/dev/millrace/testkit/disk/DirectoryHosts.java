package dev.millrace.testkit.disk;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Machines whose state lies in real directories, on real disks of whatever implementation.
///
/// A process that is ended lets go of its handles; nothing is flushed, since [Disk] is written by
/// whole ingests only. A loss of power cannot be had here: it is a kill. Nor do these disks fail,
/// run full or wear out.
public final class DirectoryHosts implements Hosts {
  private final Path directory;
  private final Function<Path, Disks> disks;
  private final List<DirectoryHost> hosts = new ArrayList<>();

  /// @param directory does not exist yet; removed with all in it by [#close]
  /// @param disks opens those of a container in a directory of its own
  public DirectoryHosts(Path directory, Function<Path, Disks> disks) {
    this.directory = directory;
    this.disks = disks;
  }

  @Override
  public Host host(String name, long seed) {
    DirectoryHost host = new DirectoryHost(directory.resolve(name));
    hosts.add(host);
    return host;
  }

  @Override
  public void close() {
    hosts.forEach(DirectoryHost::kill);
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> found = Files.walk(directory)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class DirectoryHost implements Host {
    private final Path home;
    private @Nullable Mounted process;

    DirectoryHost(Path home) {
      this.home = home;
    }

    @Override
    public Disks mount() {
      if (process != null) {
        throw new DiskException(
            DiskException.Kind.IN_USE, home + " is held by another process of the test", null);
      }
      create(directory);
      Mounted started = new Mounted(disks.apply(home));
      process = started;
      return started;
    }

    @Override
    public void kill() {
      Mounted ended = process;
      process = null;
      if (ended != null) {
        ended.end();
      }
    }

    @Override
    public void losePower() {
      kill();
    }

    @Override
    public void dieAfter(int operations) {
      if (process != null) {
        process.left = operations;
      }
    }

    @Override
    public void failNext(int operations) {}

    @Override
    public void fill(int bytes) {}

    @Override
    public void free() {}

    @Override
    public void wear(Seed draw) {}

    @Override
    public boolean worn() {
      return false;
    }

    @Override
    public boolean died() {
      return process != null && process.dead;
    }

    private static void create(Path created) {
      try {
        Files.createDirectories(created);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /// The disks as one process has them, which may die in any operation on them.
    private final class Mounted implements Disks {
      private final Disks real;
      private int left = Integer.MAX_VALUE;
      private boolean dead;
      private boolean ended;

      Mounted(Disks real) {
        this.real = real;
      }

      private void end() {
        dead = true;
        if (!ended) {
          ended = true;
          real.close();
        }
      }

      /// Counts an operation.
      private void begin(String what) {
        if (!dead && --left == 0) {
          dead = true;
        }
        if (dead) {
          throw new ModelCrash("a dead process tried " + what + " in " + home);
        }
      }

      @Override
      public Disk open(String task) {
        begin("opening " + task);
        return new MortalDisk(real.open(task), this::begin);
      }

      @Override
      public @Nullable DiskStage stage(String task) {
        begin("staging " + task);
        return real.stage(task);
      }

      @Override
      public void wipe(String task) {
        begin("wiping " + task);
        real.wipe(task);
      }

      @Override
      public SortedSet<String> stored() {
        begin("listing");
        return real.stored();
      }

      @Override
      public void close() {
        if (process == this) {
          process = null;
        }
        end();
      }
    }
  }
}

package dev.millrace.testkit.disk;

import dev.millrace.internal.state.run.RunFiles;
import dev.millrace.spi.DiskException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A file system in memory that fails on demand.
///
/// A process gets at it through [#mount], one at a time. The process dies by [#kill], which keeps
/// all it wrote, or by [#losePower], after which there is only what [RunFiles] promises: synced
/// bytes, then perhaps some more, whole sectors of which may be zero or garbage; the names as of
/// the last sync, with any of the changes since. Either ends the mount, and what still uses it gets
/// a [ModelCrash].
///
/// Faults are ordered beforehand: [#crashAt] and [#failBetween] by the number of the operation,
/// counted from 1 over the life of this object; [#limitBytes] as free space. The same seed and the
/// same calls give the same bytes. Thread-safe.
public final class ModelFiles {
  private final Random random;
  private NavigableMap<String, ModelFile> names = new TreeMap<>();
  private NavigableMap<String, ModelFile> durableNames = new TreeMap<>();
  private final List<NameChange> unsynced = new ArrayList<>();
  private @Nullable Mount mounted;
  private long operations;
  private long crashAt = Long.MAX_VALUE;
  private long failFrom = Long.MAX_VALUE;
  private long failTo;
  private long limitBytes = Long.MAX_VALUE;

  /// A change of names that is not durable yet. Creating is a rename from nowhere, deleting one to
  /// it.
  private record NameChange(@Nullable String from, @Nullable String to, ModelFile file) {}

  public ModelFiles(long seed) {
    random = new Random(seed);
  }

  /// Gives a process access to the files.
  ///
  /// @throws DiskException of kind `IN_USE` if another has it
  public synchronized RunFiles mount() {
    if (mounted != null) {
      throw new DiskException(
          DiskException.Kind.IN_USE, "the model files are held by another model process", null);
    }
    mounted = new Mount();
    return mounted;
  }

  /// Ends the process that has the files mounted, if any; everything it wrote is kept.
  public synchronized void kill() {
    mounted = null;
    crashAt = Long.MAX_VALUE;
  }

  /// Ends the process and the machine; what was not synced may be lost or torn.
  public synchronized void losePower() {
    kill();
    int mode = random.nextInt(4);
    int prefix = random.nextInt(unsynced.size() + 1);
    for (int i = 0; i < unsynced.size(); i++) {
      boolean kept =
          switch (mode) {
            case 0 -> false;
            case 1 -> true;
            case 2 -> i < prefix;
            default -> random.nextBoolean();
          };
      if (kept) {
        applyTo(durableNames, unsynced.get(i));
      }
    }
    unsynced.clear();
    durableNames.values().forEach(file -> file.losePower(random));
    names = new TreeMap<>(durableNames);
  }

  /// The number of operations so far.
  public synchronized long operations() {
    return operations;
  }

  /// Lets the process die in the operation of this number, which may have happened, or partly so.
  public synchronized void crashAt(long operation) {
    crashAt = operation;
  }

  /// Lets the operations of these numbers, both included, fail with kind `IO`; each may have
  /// happened all the same, or partly so.
  public synchronized void failBetween(long first, long last) {
    failFrom = first;
    failTo = last;
  }

  /// Limits what all files together may hold; an append that would exceed it writes what fits and
  /// fails with kind `FULL`.
  public synchronized void limitBytes(long bytes) {
    limitBytes = bytes;
  }

  /// What all files hold together.
  public synchronized long usedBytes() {
    return names.values().stream().mapToLong(ModelFile::length).sum();
  }

  /// The names of all files, in order.
  public synchronized SortedSet<String> names() {
    return new TreeSet<>(names.keySet());
  }

  /// In bytes.
  public synchronized int lengthOf(String name) {
    return find(name).length();
  }

  /// Inverts one bit of a file, as a worn medium does.
  public synchronized void flipBit(String name, long bit) {
    find(name).flip(bit);
  }

  /// Cuts a file, as a broken file system does.
  public synchronized void truncate(String name, int length) {
    find(name).truncate(length);
  }

  /// Deletes a file behind the back of the process.
  public synchronized void remove(String name) {
    find(name);
    names.remove(name);
    durableNames.remove(name);
  }

  private void change(NameChange change) {
    applyTo(names, change);
    unsynced.add(change);
  }

  /// Nothing if the change builds on one that was lost.
  private static void applyTo(NavigableMap<String, ModelFile> names, NameChange change) {
    if (change.from() != null && !names.remove(change.from(), change.file())) {
      return;
    }
    if (change.to() != null) {
      names.put(change.to(), change.file());
    }
  }

  private ModelFile find(String name) {
    ModelFile file = names.get(name);
    if (file == null) {
      throw failure(DiskException.Kind.IO, name + " does not exist");
    }
    return file;
  }

  private static DiskException failure(DiskException.Kind kind, String message) {
    return new DiskException(kind, "model file " + message, null);
  }

  /// The files as one process sees them.
  private final class Mount implements RunFiles {

    @Override
    public SortedSet<String> list() {
      synchronized (ModelFiles.this) {
        begin("listing", () -> {});
        return names();
      }
    }

    @Override
    public Appender create(String name) {
      synchronized (ModelFiles.this) {
        ModelFile file = new ModelFile();
        NameChange created = new NameChange(null, name, file);
        begin("creating " + name, () -> perhaps(created));
        if (names.containsKey(name)) {
          throw failure(DiskException.Kind.IO, name + " exists already");
        }
        change(created);
        return new MountAppender(name, file);
      }
    }

    @Override
    public Content open(String name) {
      synchronized (ModelFiles.this) {
        begin("opening " + name, () -> {});
        return new MountContent(name, find(name));
      }
    }

    @Override
    public void rename(String from, String to) {
      synchronized (ModelFiles.this) {
        NameChange renamed = new NameChange(from, to, find(from));
        begin("renaming " + from, () -> perhaps(renamed));
        change(renamed);
      }
    }

    @Override
    public void delete(String name) {
      synchronized (ModelFiles.this) {
        NameChange deleted = new NameChange(name, null, find(name));
        begin("deleting " + name, () -> perhaps(deleted));
        change(deleted);
      }
    }

    @Override
    public void syncNames() {
      synchronized (ModelFiles.this) {
        begin("syncing the names", () -> {});
        unsynced.forEach(change -> applyTo(durableNames, change));
        unsynced.clear();
      }
    }

    @Override
    public String describe(String name) {
      return "model file " + name;
    }

    @Override
    public void close() {
      synchronized (ModelFiles.this) {
        if (mounted == this) {
          mounted = null;
        }
      }
    }

    private void perhaps(NameChange change) {
      if (random.nextBoolean()) {
        change(change);
      }
    }

    /// Counts an operation and lets it go wrong if that was ordered.
    ///
    /// @param halfway what has happened if it goes wrong
    private void begin(String what, Runnable halfway) {
      if (mounted != this) {
        throw new ModelCrash("used by a dead process for " + what);
      }
      operations++;
      if (operations == crashAt) {
        halfway.run();
        mounted = null;
        throw new ModelCrash("died at operation %d, %s".formatted(operations, what));
      }
      if (operations >= failFrom && operations <= failTo) {
        halfway.run();
        throw failure(
            DiskException.Kind.IO, "system failed at operation %d, %s".formatted(operations, what));
      }
    }

    private final class MountAppender implements Appender {
      private final String name;
      private final ModelFile file;

      MountAppender(String name, ModelFile file) {
        this.name = name;
        this.file = file;
      }

      @Override
      public void append(byte[] bytes, int offset, int length) {
        synchronized (ModelFiles.this) {
          begin("writing " + name, () -> file.append(bytes, offset, random.nextInt(length + 1)));
          int fits = (int) Math.max(0, Math.min(length, limitBytes - usedBytes()));
          file.append(bytes, offset, fits);
          if (fits < length) {
            throw failure(DiskException.Kind.FULL, name + " finds no space left");
          }
        }
      }

      @Override
      public void sync() {
        synchronized (ModelFiles.this) {
          begin("syncing " + name, file::failSync);
          file.sync();
        }
      }

      @Override
      public void close() {}
    }

    private final class MountContent implements Content {
      private final String name;
      private final ModelFile file;

      MountContent(String name, ModelFile file) {
        this.name = name;
        this.file = file;
      }

      @Override
      public long length() {
        synchronized (ModelFiles.this) {
          return file.length();
        }
      }

      @Override
      public void read(long position, byte[] into, int offset, int length) {
        synchronized (ModelFiles.this) {
          begin("reading " + name, () -> {});
          if (position < 0 || position + length > file.length()) {
            throw failure(
                DiskException.Kind.CORRUPT,
                "%s ends before byte %d".formatted(name, position + length));
          }
          file.read((int) position, into, offset, length);
        }
      }

      @Override
      public void close() {}
    }
  }
}

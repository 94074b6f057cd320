package dev.millrace.internal.state.local;

import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Holds a file's lock from [#hold] or [#share] to [#close], alone or together with others who
/// share it.
///
/// The operating system's lock keeps other processes out and is gone with the process however it
/// ends, so nothing is ever left held by a dead one. The file says who holds it alone, for people
/// to read; its content decides nothing. Whoever deletes the file has to hold it alone; a process
/// that opened it before finds out that the name stands for another file now, and begins again.
///
/// Within one process the same is kept by a table, because the system's lock belongs to the process
/// and is lost as soon as any channel to the file is closed. So the file is touched only by whoever
/// has the table. Thread-safe.
public final class LockFile implements AutoCloseable {
  private static final int LONGEST_HOLDER_BYTES = 1000;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /// Sizes that are longer than what a holder writes.
  private static final long LEAST_MARK = 1L << 16;

  private static final long MOST_MARK = 1L << 31;

  /// What this process holds, also the lock on each file's channel and content.
  private static final Map<Identity, Held> HELD_HERE = new HashMap<>();

  private final Identity identity;
  private final Path file;
  private boolean closed;

  private LockFile(Identity identity, Path file) {
    this.identity = identity;
    this.file = file;
  }

  /// A file, whatever path leads to its directory.
  private record Identity(Object directory, Path name) {}

  /// What this process writes of itself into files that it holds.
  private static final class Self {
    static final String TEXT = describeThisProcess();
  }

  /// A file that this process holds, so many times if it is shared.
  private static final class Held {
    final FileChannel channel;
    final boolean shared;
    int holders = 1;

    Held(FileChannel channel, boolean shared) {
      this.channel = channel;
      this.shared = shared;
    }
  }

  /// Takes the lock alone.
  ///
  /// @param file created if need be, in a directory that exists
  /// @param what is held with it, to begin a message
  /// @throws DiskException of kind `IN_USE`, naming the holder, if it is held already
  public static LockFile hold(Path file, String what) {
    return take(file, what, false);
  }

  /// Takes the lock alone, and waits for a holder that is about to give it up.
  ///
  /// @param patience how long at most
  public static LockFile hold(Path file, String what, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return hold(file, what);
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.IN_USE || System.nanoTime() - end >= 0) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  /// Takes the lock together with others who share it.
  ///
  /// @throws DiskException of kind `IN_USE`, naming the holder, if somebody holds it alone
  public static LockFile share(Path file, String what) {
    return take(file, what, true);
  }

  /// Returns whether somebody holds a file now; nothing is changed by asking.
  public static boolean isHeld(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Identity identity = identity(file);
    synchronized (HELD_HERE) {
      // Closing a channel to a file that this process holds would give it back.
      if (HELD_HERE.containsKey(identity)) {
        return true;
      }
      try (FileChannel channel =
              FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
          FileLock lock = channel.tryLock()) {
        return lock == null;
      } catch (NoSuchFileException _) {
        return false; // its holder has deleted it
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be inspected", file, e);
      }
    }
  }

  /// Gives the lock back; a second call does nothing.
  @Override
  public void close() {
    synchronized (HELD_HERE) {
      if (closed) {
        return;
      }
      closed = true;
      Held held = Objects.requireNonNull(HELD_HERE.get(identity));
      held.holders--;
      if (held.holders > 0) {
        return;
      }
      HELD_HERE.remove(identity);
      try {
        held.channel.close();
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be released", file, e);
      }
    }
  }

  private static LockFile take(Path file, String what, boolean shared) {
    Identity identity = identity(file);
    String self = Self.TEXT; // looks for the host's name, the first time
    synchronized (HELD_HERE) {
      Held held = HELD_HERE.get(identity);
      if (held == null) {
        HELD_HERE.put(identity, new Held(lock(file, what, self, shared), shared));
      } else if (shared && held.shared) {
        held.holders++;
      } else {
        throw inUse(what, self);
      }
      return new LockFile(identity, file);
    }
  }

  private static Identity identity(Path file) {
    Path directory = Objects.requireNonNull(file.toAbsolutePath().normalize().getParent());
    try {
      return new Identity(key(directory), Objects.requireNonNull(file.getFileName()));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be read", directory, e);
    }
  }

  private static Object key(Path path) throws IOException {
    Object key =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
    return key != null ? key : path.toRealPath();
  }

  private static FileChannel lock(Path file, String what, String self, boolean shared) {
    try {
      FileChannel locked = null;
      while (locked == null) {
        locked = tryLock(file, what, self, shared);
      }
      return locked;
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be locked", file, e);
    }
  }

  /// @return null if the file was deleted meanwhile
  private static @Nullable FileChannel tryLock(Path file, String what, String self, boolean shared)
      throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS));
    boolean locked = false;
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      if (lock == null) {
        throw inUse(what, read(channel));
      }
      if (!hasName(channel, file)) {
        return null;
      }
      channel.truncate(0);
      if (!shared) {
        channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
      }
      locked = true;
      return channel;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  /// Whether a name stands for the file of a channel still, and not for one that was created since.
  /// Java does not tell which file a channel leads to, and numbers of deleted files are given to
  /// new ones; so the file gets a size that no other one has.
  private static boolean hasName(FileChannel channel, Path file) throws IOException {
    long size = ThreadLocalRandom.current().nextLong(LEAST_MARK, MOST_MARK);
    channel.truncate(0);
    channel.write(ByteBuffer.allocate(1), size - 1); // the bytes before it take no space
    try {
      return Files.size(file) == size;
    } catch (NoSuchFileException _) {
      return false;
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(LONGEST_HOLDER_BYTES);
    channel.read(text, 0);
    String holder = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
    return holder.indexOf('\0') < 0 ? holder : ""; // it is about to write who it is
  }

  private static String describeThisProcess() {
    ProcessHandle self = ProcessHandle.current();
    String started = self.info().startInstant().map(Object::toString).orElse("unknown");
    return "pid %d on host %s, started %s".formatted(self.pid(), hostName(), started);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  private static DiskException inUse(String what, String holder) {
    return new DiskException(
        DiskException.Kind.IN_USE,
        "%s is held by %s; stop that process, or give this one another state directory"
            .formatted(what, holder.isEmpty() ? "another process" : holder),
        null);
  }
}

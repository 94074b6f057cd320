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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A container's directory of state, held by this process from [#hold] to [#close].
///
/// The operating system's lock on the file `LOCK` keeps other processes out and is gone with the
/// process however it ends, so a directory is never left held by a dead one. The file says who
/// holds it, for people to read; its content decides nothing. The file is never deleted: whoever
/// deletes it while it is held lets a second process in.
///
/// Within one process the same is kept by a table, because the system's lock belongs to the process
/// and is lost as soon as any channel to the file is closed. So the file is touched only by whoever
/// is in the table. Thread-safe.
public final class StateDirectory implements AutoCloseable {
  private static final String LOCK = "LOCK";
  private static final int LONGEST_HOLDER_BYTES = 1000;
  private static final Map<Object, Path> HELD_HERE = new ConcurrentHashMap<>();

  private final Path path;
  private final Object identity;
  private final FileChannel channel;

  private StateDirectory(Path path, Object identity, FileChannel channel) {
    this.path = path;
    this.identity = identity;
    this.channel = channel;
  }

  /// Takes a directory, which is created if need be and made private to its owner.
  ///
  /// @throws DiskException of kind `IN_USE`, naming the holder, if it is held already
  public static StateDirectory hold(Path directory) {
    Path path = directory.toAbsolutePath().normalize();
    createParents(path);
    PrivateFiles.createDirectory(path);
    Object identity = identity(path);
    if (HELD_HERE.putIfAbsent(identity, path) != null) {
      throw inUse(path, describeThisProcess());
    }
    FileChannel channel = null;
    try {
      channel = lock(path);
      return new StateDirectory(path, identity, channel);
    } finally {
      if (channel == null) {
        HELD_HERE.remove(identity);
      }
    }
  }

  /// Returns whether somebody holds a directory now; nothing is changed by asking.
  public static boolean isHeld(Path directory) {
    Path path = directory.toAbsolutePath().normalize();
    Path file = path.resolve(LOCK);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Object identity = identity(path);
    // Closing a channel to the file of a directory that this process holds would give it back.
    if (HELD_HERE.putIfAbsent(identity, path) != null) {
      return true;
    }
    try (FileChannel channel =
            FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be inspected", file, e);
    } finally {
      HELD_HERE.remove(identity);
    }
  }

  /// Returns the directory, absolute.
  public Path path() {
    return path;
  }

  /// Lets other processes take the directory. Nothing inside may be in use any more.
  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be released", path.resolve(LOCK), e);
    } finally {
      HELD_HERE.remove(identity);
    }
  }

  private static void createParents(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException("the root " + path + " cannot be a state directory");
    }
    try {
      Files.createDirectories(parent);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be created", parent, e);
    }
  }

  private static Object identity(Path path) {
    try {
      Object key =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
      return key != null ? key : path.toRealPath();
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be read", path, e);
    }
  }

  private static FileChannel lock(Path directory) {
    Path file = directory.resolve(LOCK);
    FileChannel channel = null;
    boolean locked = false;
    try {
      channel =
          FileChannel.open(
              file,
              Set.of(
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS));
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(directory, read(channel));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(describeThisProcess().getBytes(StandardCharsets.UTF_8)), 0);
      locked = true;
      return channel;
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be locked", file, e);
    } finally {
      if (!locked) {
        closeUnlocked(channel, file);
      }
    }
  }

  private static void closeUnlocked(@Nullable FileChannel channel, Path file) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        throw PrivateFiles.failure("could not be closed", file, e);
      }
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(LONGEST_HOLDER_BYTES);
    channel.read(text, 0);
    return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
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

  private static DiskException inUse(Path directory, String holder) {
    return new DiskException(
        DiskException.Kind.IN_USE,
        "%s is held by %s; stop that process, or give this one another state directory"
            .formatted(
                directory, holder.isEmpty() ? "a process that has not written its id yet" : holder),
        null);
  }
}

package dev.millrace.internal.state.local;

import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A directory of state, held by this process from [#hold] or [#share] to [#close]: by the lock of
/// its file `LOCK`, see [LockFile]. Thread-safe.
public final class StateDirectory implements AutoCloseable {
  /// The name of the lock file.
  public static final String LOCK = "LOCK";

  private final Path path;
  private final LockFile lock;

  private StateDirectory(Path path, LockFile lock) {
    this.path = path;
    this.lock = lock;
  }

  /// Takes a directory alone. It is created if need be and made private to its owner.
  ///
  /// @throws DiskException of kind `IN_USE`, naming the holder, if it is held already
  public static StateDirectory hold(Path directory) {
    Path path = create(directory);
    return new StateDirectory(path, LockFile.hold(path.resolve(LOCK), path.toString()));
  }

  /// Takes a directory together with others who share it. It is created if need be and made private
  /// to its owner.
  ///
  /// @throws DiskException of kind `IN_USE`, naming the holder, if somebody holds it alone
  public static StateDirectory share(Path directory) {
    Path path = create(directory);
    return new StateDirectory(path, LockFile.share(path.resolve(LOCK), path.toString()));
  }

  /// Returns whether somebody holds a directory now; nothing is changed by asking.
  public static boolean isHeld(Path directory) {
    return LockFile.isHeld(directory.toAbsolutePath().normalize().resolve(LOCK));
  }

  /// Returns the directory, absolute.
  public Path path() {
    return path;
  }

  /// Lets other processes take the directory. Nothing inside may be in use any more.
  @Override
  public void close() {
    lock.close();
  }

  private static Path create(Path directory) {
    Path path = directory.toAbsolutePath().normalize();
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException("the root " + path + " cannot be a state directory");
    }
    try {
      Files.createDirectories(parent);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be created", parent, e);
    }
    PrivateFiles.createDirectory(path);
    return path;
  }
}

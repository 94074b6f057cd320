package dev.millrace.kafka.embedded;

import static dev.millrace.kafka.embedded.EmbeddedKafkaException.Kind.DIRECTORY_IN_USE;
import static dev.millrace.kafka.embedded.EmbeddedKafkaException.Kind.DIRECTORY_UNUSABLE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/// The directory of one embedded broker, held by a lock until it is closed.
///
/// Holds `broker.lock`, with the process id of the holder inside, and `kafka`, the broker's only
/// log directory. The broker has a lock of its own, but takes it only after the controller has
/// written there, so a second process must be kept out before.
final class DataDirectory implements AutoCloseable {
  private static final String LOCK_FILE = "broker.lock";
  private static final String LOG_DIRECTORY = "kafka";
  private static final String CLEAN_SHUTDOWN_FILE = ".kafka_cleanshutdown";
  private static final int MAX_HOLDER_BYTES = 64;

  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private DataDirectory(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /// Creates the directory where it is missing, for its owner only, and locks it.
  static DataDirectory open(Path directory) {
    try {
      createPrivate(directory);
      Path path = directory.toRealPath();
      Path file = path.resolve(LOCK_FILE);
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      try {
        FileLock lock = tryLock(channel);
        if (lock == null) {
          throw inUse(path, channel);
        }
        writeHolder(channel);
        return new DataDirectory(path, channel, lock);
      } catch (IOException | EmbeddedKafkaException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw unusable(directory, e.toString(), e);
    }
  }

  Path path() {
    return path;
  }

  Path logDirectory() {
    return path.resolve(LOG_DIRECTORY);
  }

  /// The id of the cluster whose data is here, null if there is none yet.
  @Nullable String clusterId() {
    String logDirectory = logDirectory().toString();
    try {
      MetaPropertiesEnsemble found =
          new MetaPropertiesEnsemble.Loader()
              .addMetadataLogDir(logDirectory)
              .addLogDirs(List.of(logDirectory))
              .load();
      if (found.errorLogDirs().contains(logDirectory)) {
        throw unusable(path, "'" + logDirectory + "/meta.properties' cannot be read", null);
      }
      if (found.emptyLogDirs().contains(logDirectory)) {
        refuseForeignData();
      }
      return found.clusterId().orElse(null);
    } catch (IOException e) {
      throw unusable(path, e.toString(), e);
    }
  }

  /// Returns whether the last broker here was stopped, as the file says that a broker leaves at its
  /// end.
  boolean wasClosedCleanly() {
    return Files.exists(logDirectory().resolve(CLEAN_SHUTDOWN_FILE));
  }

  /// Makes the log directory of a new cluster, with every feature at the latest level that its
  /// release declares ready for production.
  ///
  /// @return the id of the new cluster
  /// @throws Exception whatever Kafka's formatter throws
  String format() throws Exception {
    String clusterId = Uuid.randomUuid().toString();
    String logDirectory = logDirectory().toString();
    createPrivate(logDirectory());
    new Formatter()
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
        .setNodeId(BrokerSettings.NODE_ID)
        .setClusterId(clusterId)
        .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
        .setMetadataLogDirectory(logDirectory)
        .addDirectory(logDirectory)
        .run();
    return clusterId;
  }

  @Override
  public void close() {
    try {
      lock.release();
      lockFile.close();
    } catch (IOException e) {
      throw unusable(path, "its lock could not be released: " + e, e);
    }
  }

  /// A log directory without `meta.properties` may hold what an interrupted format left, but no
  /// data.
  private void refuseForeignData() throws IOException {
    if (!Files.exists(logDirectory())) {
      return;
    }
    try (Stream<Path> entries = Files.list(logDirectory())) {
      if (entries.anyMatch(Files::isDirectory)) {
        throw unusable(
            path,
            "'" + logDirectory() + "' holds data, but no meta.properties that names its cluster",
            null);
      }
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very process
    }
  }

  private static void writeHolder(FileChannel channel) throws IOException {
    channel.truncate(0);
    String holder = ProcessHandle.current().pid() + "\n";
    channel.write(ByteBuffer.wrap(holder.getBytes(US_ASCII)), 0);
  }

  private static EmbeddedKafkaException inUse(Path path, FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_HOLDER_BYTES);
    channel.read(bytes, 0);
    String holder = new String(bytes.array(), 0, bytes.position(), US_ASCII).strip();
    return new EmbeddedKafkaException(
        DIRECTORY_IN_USE,
        ("The data directory '%s' is in use by another embedded broker (process %s). "
                + "Stop it, or use another directory.")
            .formatted(path, holder.isEmpty() ? "unknown" : holder),
        null);
  }

  private static EmbeddedKafkaException unusable(
      Path path, String found, @Nullable Throwable cause) {
    return new EmbeddedKafkaException(
        DIRECTORY_UNUSABLE,
        "The data directory '%s' of the embedded broker cannot be used: %s.".formatted(path, found),
        cause);
  }

  private static void createPrivate(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(directory);
    }
  }
}

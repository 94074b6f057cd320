package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// A checkpoint of RocksDB in a separate directory: hard links to its sorted files, copies of the
/// few small ones, and the `FORMAT` of the task's directory.
final class RocksImage implements DiskImage {
  private static final String SORTED_FILE = ".sst";

  private final Path directory;
  private final byte[] position;
  private final List<File> files;

  private RocksImage(Path directory, byte[] position, List<File> files) {
    this.directory = directory;
    this.position = position;
    this.files = files;
  }

  /// @param into must not exist, in the file system of the database
  /// @param format the task's `FORMAT`
  static RocksImage take(RocksDB database, Path into, Path format, byte[] position) {
    boolean taken = false;
    try (Checkpoint checkpoint = Checkpoint.create(database)) {
      checkpoint.createCheckpoint(into.toString());
      Files.createLink(into.resolve(FormatFile.NAME), format);
      RocksImage image = new RocksImage(into, position, list(into));
      taken = true;
      return image;
    } catch (RocksDBException e) {
      throw RocksFailure.of(into, "could not take an image", e);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not take an image", into, e);
    } finally {
      if (!taken) {
        PrivateFiles.deleteTree(into);
      }
    }
  }

  private static List<File> list(Path directory) throws IOException {
    TreeMap<String, File> found = new TreeMap<>();
    try (Stream<Path> paths = Files.list(directory)) {
      for (Path path : paths.toList()) {
        String name = directory.relativize(path).toString();
        found.put(name, new File(name, Files.size(path), name.endsWith(SORTED_FILE)));
      }
    }
    return new ArrayList<>(found.values());
  }

  @Override
  public byte[] position() {
    return position.clone();
  }

  @Override
  public List<File> files() {
    return List.copyOf(files);
  }

  @Override
  public InputStream open(String name) {
    if (files.stream().noneMatch(file -> file.name().equals(name))) {
      throw new IllegalArgumentException("'" + name + "' is not a file of this image");
    }
    Path file = directory.resolve(name);
    try {
      return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be opened", file, e);
    }
  }

  /// @throws DiskException if the files cannot be deleted
  @Override
  public void close() {
    PrivateFiles.deleteTree(directory);
  }
}

package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.LockFile;
import dev.millrace.internal.state.local.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/// Unpacks RocksDB's native library once: RocksDB itself would unpack its 17 MB at every start of a
/// process, which takes a quarter of the time that a recovery may take.
final class RocksLibrary {
  private static final String DIRECTORY_VARIABLE = "ROCKSDB_SHAREDLIB_DIR";

  /// The name of the library in the jar.
  private static final String PACKED = Environment.getJniLibraryFileName("rocksdb");

  /// The name under which [RocksDB#loadLibrary(List)] looks for it.
  private static final String UNPACKED = Environment.getJniLibraryFileName("rocksdbjni");

  private static final String LOCK = "LOCK";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static boolean loaded;

  private RocksLibrary() {}

  /// Loads the library, unless it is loaded; then nothing is unpacked.
  ///
  /// @param directory it is unpacked to, unless the environment names another
  static synchronized void load(Path directory) {
    if (!loaded) {
      loadFrom(directory);
      loaded = true;
    }
  }

  private static void loadFrom(Path directory) {
    URL packed = RocksDB.class.getResource("/" + PACKED);
    if (System.getenv(DIRECTORY_VARIABLE) != null || packed == null) {
      RocksDB.loadLibrary();
      return;
    }
    try {
      Path file = directory.resolve(UNPACKED);
      if (!isWhole(file, packed)) {
        unpackAlone(packed, file);
      }
    } catch (IOException e) {
      throw PrivateFiles.failure("could not take RocksDB's library", directory, e);
    }
    RocksDB.loadLibrary(List.of(directory.toAbsolutePath().toString()));
  }

  /// Unpacks the library unless a neighbour has done it meanwhile.
  private static void unpackAlone(URL packed, Path file) throws IOException {
    Path lock = file.resolveSibling(LOCK);
    try (LockFile _ = LockFile.hold(lock, file.toString(), PATIENCE)) {
      if (!isWhole(file, packed)) {
        unpack(packed, file);
      }
    }
  }

  private static boolean isWhole(Path file, URL packed) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    URLConnection connection = packed.openConnection();
    if (!(connection instanceof JarURLConnection jar)) {
      return false;
    }
    JarEntry entry = jar.getJarEntry();
    return entry != null && entry.getSize() == Files.size(file) && entry.getCrc() == checksum(file);
  }

  private static long checksum(Path file) throws IOException {
    CRC32 checksum = new CRC32();
    try (FileChannel channel = FileChannel.open(file)) {
      checksum.update(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
    }
    return checksum.getValue();
  }

  /// Writes the library, never over an existing file, which another process may have loaded: the
  /// name then refers to a new file.
  private static void unpack(URL packed, Path file) throws IOException {
    Path draft = file.resolveSibling(UNPACKED + ".new");
    try (InputStream in = packed.openStream()) {
      Files.copy(in, draft, StandardCopyOption.REPLACE_EXISTING);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}

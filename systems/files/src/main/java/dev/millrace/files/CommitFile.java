package dev.millrace.files;

import dev.millrace.spi.SinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The file beside a task's lines that says which commit wrote the last of them: 8 bytes each,
/// big-endian, for the number of that commit and the length of the lines up to it, then in UTF-8
/// the id of the changelog that counts the commits. It is replaced as a whole.
final class CommitFile {
  private static final int COUNTERS = 2 * Long.BYTES;

  /// What the file says.
  ///
  /// @param commit the last one that was delivered; 0 before the first
  /// @param lengthBytes of the lines up to it
  record Delivered(long commit, long lengthBytes) {
    static final Delivered NOTHING = new Delivered(0, 0);
  }

  private final Path path;
  private final String stream;
  private final Path lines;
  private final byte[] changelog;

  /// @param lines the file that this one belongs to
  CommitFile(Path path, String stream, Path lines, String changelog) {
    this.path = path;
    this.stream = stream;
    this.lines = lines;
    this.changelog = changelog.getBytes(StandardCharsets.UTF_8);
  }

  /// What the file says; null if there is none.
  ///
  /// @throws SinkException if it is damaged, or counts by another changelog
  @Nullable Delivered read() throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(path);
    } catch (NoSuchFileException _) {
      return null;
    }
    if (bytes.length < COUNTERS) {
      throw new SinkException(
          "%s is damaged: it has %d bytes. Remove it together with %s to write that anew."
              .formatted(path, bytes.length, lines),
          null);
    }
    byte[] writtenBy = Arrays.copyOfRange(bytes, COUNTERS, bytes.length);
    if (!Arrays.equals(writtenBy, changelog)) {
      throw new SinkException(
          "%s was written by an application with another changelog. Choose another directory for sink '%s', or move the files away."
              .formatted(lines, stream),
          null);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Delivered(buffer.getLong(), buffer.getLong());
  }

  /// Replaces it; on disk when this returns, and with it the names in its directory.
  void write(Delivered delivered) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    ByteBuffer bytes =
        ByteBuffer.allocate(COUNTERS + changelog.length)
            .putLong(delivered.commit())
            .putLong(delivered.lengthBytes())
            .put(changelog)
            .flip();
    try (FileChannel to =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        int written = to.write(bytes);
        assert written >= 0;
      }
      to.force(true);
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel directory = FileChannel.open(path.resolveSibling("."))) {
      directory.force(true);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}

package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/// The file that says which version of the layout a task's directory has: four lines of text, the
/// last of which is the CRC32C of those before in hexadecimal. A later version may change the third
/// line only.
final class FormatFile {
  static final String NAME = "FORMAT";
  static final int VERSION = 1;
  private static final int LONGEST_BYTES = 1000;
  private static final Pattern CONTENT =
      Pattern.compile(
          "(millrace disk on rocksdb\nformat version: (\\d{1,9})\nwritten by: ([^\n]*)\n)"
              + "crc32c: ([0-9a-f]{8})\n");

  private FormatFile() {}

  /// Writes and syncs the file of the present version.
  static void write(Path directory, String writtenBy) {
    String lines =
        "millrace disk on rocksdb\nformat version: %d\nwritten by: %s\n"
            .formatted(VERSION, writtenBy);
    String content = "%scrc32c: %s\n".formatted(lines, checksum(lines));
    Path file = directory.resolve(NAME);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content.getBytes(StandardCharsets.ISO_8859_1));
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be written", file, e);
    }
  }

  /// Checks that a directory has the present version.
  static void check(Path directory) {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw RocksFailure.corrupt(file, "is missing", null);
    }
    Matcher content = CONTENT.matcher(read(file));
    if (!content.matches()
        || !Objects.requireNonNull(content.group(4))
            .equals(checksum(Objects.requireNonNull(content.group(1))))) {
      throw RocksFailure.corrupt(file, "does not have the content that was written", null);
    }
    int version = Integer.parseInt(Objects.requireNonNull(content.group(2)));
    if (version != VERSION) {
      throw new DiskException(
          DiskException.Kind.IO,
          ("%s has format version %d, written by %s, but this program reads and writes version %d;"
                  + " run a version of Millrace that knows it, or delete %s, which is then restored"
                  + " from the changelog")
              .formatted(file, version, content.group(3), VERSION, directory),
          null);
    }
  }

  private static String read(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      ByteBuffer content = ByteBuffer.allocate(LONGEST_BYTES);
      while (content.hasRemaining() && channel.read(content) >= 0) {}
      return new String(content.array(), 0, content.position(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be read", file, e);
    }
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return "%08x".formatted(crc.getValue());
  }
}

package dev.millrace.internal.state.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The file in a home that says whose state it is, so that it can be told which directories belong
/// to applications that were deleted. It decides nothing for the tasks themselves: the position on
/// each disk does that. In the former layout, where each container had a directory, the file was in
/// that directory and named the container.
public final class OwnerFile {
  public static final String NAME = "OWNER";
  private static final int LONGEST_BYTES = 2000;
  private static final String WORD = "([A-Za-z0-9._-]{1,249})";
  private static final Pattern CONTENT =
      Pattern.compile(
          """
          (millrace state
          format version: (?:2
          application: %1$s|1
          application: %1$s
          container: ([0-9]{1,9}))
          cluster: %1$s
          changelog: %1$s
          changelog id: %1$s
          )crc32c: ([0-9a-f]{8})
          """
              .formatted(WORD));

  /// Whose state a directory holds.
  ///
  /// @param container the number of the container, in the former layout; else null
  /// @param cluster the id of the cluster
  /// @param changelog the changelog topic
  /// @param changelogId its id
  public record Owner(
      String application,
      @Nullable Integer container,
      String cluster,
      String changelog,
      String changelogId) {

    /// The owner of a home.
    public Owner(String application, String cluster, String changelog, String changelogId) {
      this(application, null, cluster, changelog, changelogId);
    }

    /// Returns the same owner without a container.
    public Owner ofHome() {
      return new Owner(application, cluster, changelog, changelogId);
    }
  }

  private OwnerFile() {}

  /// Writes the file into a directory that this process holds, replacing one of another owner.
  public static void write(Path directory, Owner owner) {
    if (owner.equals(read(directory))) {
      return;
    }
    Path draft = directory.resolve(NAME + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING,
                LinkOption.NOFOLLOW_LINKS))) {
      ByteBuffer rest = ByteBuffer.wrap(content(owner).getBytes(StandardCharsets.UTF_8));
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
      Files.move(draft, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be written", draft, e);
    }
    PrivateFiles.syncNames(directory);
  }

  /// Returns the owner in the file of a directory; null if there is no file, or it is damaged.
  public static @Nullable Owner read(Path directory) {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    try (FileChannel channel =
        FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      ByteBuffer bytes = ByteBuffer.allocate(LONGEST_BYTES);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      return parse(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be read", file, e);
    }
  }

  private static @Nullable Owner parse(String text) {
    Matcher found = CONTENT.matcher(text);
    if (!found.matches() || !group(found, 8).equals(checksum(group(found, 1)))) {
      return null;
    }
    String container = found.group(4);
    return new Owner(
        group(found, container == null ? 2 : 3),
        container == null ? null : Integer.valueOf(container),
        group(found, 5),
        group(found, 6),
        group(found, 7));
  }

  private static String group(Matcher found, int group) {
    return Objects.requireNonNull(found.group(group));
  }

  private static String content(Owner owner) {
    String lines =
        """
        millrace state
        format version: %s
        cluster: %s
        changelog: %s
        changelog id: %s
        """
            .formatted(
                owner.container() == null
                    ? "2\napplication: " + owner.application()
                    : "1\napplication: %s\ncontainer: %d"
                        .formatted(owner.application(), owner.container()),
                owner.cluster(),
                owner.changelog(),
                owner.changelogId());
    return "%scrc32c: %s\n".formatted(lines, checksum(lines));
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }
}

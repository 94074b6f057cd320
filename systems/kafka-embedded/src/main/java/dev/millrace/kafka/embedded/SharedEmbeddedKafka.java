package dev.millrace.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// One embedded broker a process, for tests that do not need one of their own: started when first
/// asked for, in a new directory under `java.io.tmpdir`, stopped and removed when the process ends.
/// Records are kept, however old their timestamps. Tests keep out of each other's way by
/// [#uniqueName]. Thread-safe.
public final class SharedEmbeddedKafka {
  private static final AtomicLong NAMES = new AtomicLong();

  private SharedEmbeddedKafka() {}

  /// Returns the `bootstrap.servers` for clients. Starts the broker, which takes a few seconds, at
  /// the first call.
  public static String bootstrapServers() {
    return kafka().bootstrapServers();
  }

  /// Returns the broker itself. It must not be closed.
  public static EmbeddedKafka kafka() {
    return Holder.KAFKA;
  }

  /// Returns a name, for a topic, a group or a transactional id, that no other caller in this
  /// process gets.
  ///
  /// @param prefix says to a reader of logs what it is for
  public static String uniqueName(String prefix) {
    return prefix + "-" + NAMES.incrementAndGet();
  }

  private static final class Holder {
    static final EmbeddedKafka KAFKA = start();

    private static EmbeddedKafka start() {
      Path directory = createDirectory();
      EmbeddedKafka kafka =
          EmbeddedKafka.builder(directory)
              // Tests write events of other years; a broker looks every five minutes for old ones.
              .property("log.retention.ms", "-1")
              .start();
      Runnable stop =
          () -> {
            kafka.close();
            remove(directory);
          };
      Runtime.getRuntime().addShutdownHook(new Thread(stop, "shared-embedded-kafka-shutdown"));
      return kafka;
    }
  }

  private static Path createDirectory() {
    try {
      return Files.createTempDirectory("shared-embedded-kafka-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> childrenFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : childrenFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.millrace.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/// Runs an embedded broker in a separate process, so that a test can kill it.
///
///     EmbeddedKafkaMain <directory> [<port>] [--exit-with-parent] [--property <name>=<value>]...
///
/// Prints one line, `READY <bootstrap servers>`, on standard output once clients can connect,
/// and stops cleanly on SIGTERM, and with `--exit-with-parent` when standard input ends, which
/// it does however the parent ends. The status is 2 for wrong arguments, 1 if the broker fails,
/// with the reason on standard error.
public final class EmbeddedKafkaMain {
  private static final String USAGE =
      "Usage: EmbeddedKafkaMain <directory> [<port>] [--exit-with-parent]"
          + " [--property <name>=<value>]...";
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private EmbeddedKafkaMain() {}

  public static void main(String[] args) {
    var end = new CompletableFuture<Integer>();
    EmbeddedKafka kafka;
    try {
      Arguments arguments = Arguments.parse(args);
      if (arguments.exitWithParent) {
        Thread.ofPlatform()
            .daemon()
            .name("standard-input")
            .start(() -> end.complete(awaitEnd(System.in)));
      }
      kafka = arguments.broker.onFailure(failure -> end.complete(report(failure))).start();
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(WRONG_USAGE);
      return;
    } catch (EmbeddedKafkaException e) {
      System.exit(report(e));
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(kafka::close, "embedded-kafka-shutdown"));
    System.out.println("READY " + kafka.bootstrapServers());
    System.out.flush();
    System.exit(end.join());
  }

  private static int report(EmbeddedKafkaException failure) {
    System.err.println(failure.getMessage());
    return FAILED;
  }

  private static int awaitEnd(InputStream in) {
    try {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("Standard input cannot be read, so it has ended: " + e.getMessage());
    }
    return 0;
  }

  private record Arguments(EmbeddedKafka.Builder broker, boolean exitWithParent) {

    static Arguments parse(String[] args) {
      if (args.length == 0) {
        throw new IllegalArgumentException(USAGE);
      }
      EmbeddedKafka.Builder broker = EmbeddedKafka.builder(Path.of(args[0]));
      boolean exitWithParent = false;
      for (int i = 1; i < args.length; i++) {
        switch (args[i]) {
          case "--exit-with-parent" -> exitWithParent = true;
          case "--property" -> setProperty(broker, ++i < args.length ? args[i] : "");
          default -> broker.port(parsePort(args[i]));
        }
      }
      return new Arguments(broker, exitWithParent);
    }

    private static void setProperty(EmbeddedKafka.Builder broker, String pair) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "--property takes <name>=<value>, not '%s'.%n%s".formatted(pair, USAGE));
      }
      broker.property(pair.substring(0, equals), pair.substring(equals + 1));
    }

    private static int parsePort(String text) {
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("'%s' is not a port.%n%s".formatted(text, USAGE), e);
      }
    }
  }
}

package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.EmbeddedConfig;
import dev.millrace.kafka.embedded.EmbeddedKafkaProvider;
import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.LogException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs the embedded Kafka by itself.
@Command(
    name = "kafka",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a Kafka cluster of one node on this host, for development, until it is stopped (Ctrl-C)"
          + " or fails.",
      "",
      "Any Kafka tool and any application on this host can use it. Its data is kept when it stops."
    })
final class KafkaCommand implements Callable<Integer> {
  private static final String PORT = "9092";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The directory for its data; default: millrace-data/kafka.")
  private @Nullable Path data;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = PORT,
      description =
          "The port on 127.0.0.1 where it listens, or 0 for a free port; default:"
              + " ${DEFAULT-VALUE}.")
  private int port;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    CommandPort.require(spec.commandLine(), port);
    PrintWriter out = spec.commandLine().getOut();
    Path directory = (data == null ? EmbeddedConfig.DIRECTORY : data).toAbsolutePath().normalize();
    LocalBroker broker = new EmbeddedKafkaProvider().start(directory, port);
    // After a signal the JVM would end with the signal's status.
    AtomicInteger status = new AtomicInteger(ExitCode.DONE);
    Runnable stop =
        () -> {
          try {
            broker.close();
          } finally {
            Runtime.getRuntime().halt(status.get());
          }
        };
    Runtime.getRuntime().addShutdownHook(new Thread(stop, "kafka-stop"));
    out.println(
        "Kafka: cluster %s at %s, data in %s. Ctrl-C stops it."
            .formatted(broker.clusterId(), broker.bootstrapServers(), directory));
    out.flush();
    LogException failure = broker.failure().toCompletableFuture().join();
    status.set(ExitCode.FAILED);
    throw failure;
  }
}

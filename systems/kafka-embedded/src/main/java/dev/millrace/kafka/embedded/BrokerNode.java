package dev.millrace.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/// A node of a cluster, broker and controller, in a process of its own, as Kafka's own server starts
/// it. Ends when its standard input does, however its parent ended, and on SIGTERM.
///
///     BrokerNode <file of properties> <cluster id>
final class BrokerNode {
  private BrokerNode() {}

  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of(args[0]))) {
      properties.load(file);
    }
    Path directory = Path.of(required(properties, "log.dirs"));
    if (!Files.exists(directory)) {
      Files.createDirectories(directory);
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .setNodeId(Integer.parseInt(required(properties, "node.id")))
          .setClusterId(args[1])
          .setControllerListenerName("CONTROLLER")
          .setMetadataLogDirectory(directory.toString())
          .addDirectory(directory.toString())
          .run();
    }
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    server.startup();
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "shutdown"));
    System.out.println("READY");
    System.out.flush();
    Thread.ofPlatform().daemon().start(() -> awaitEnd(System.in));
    server.awaitShutdown();
  }

  private static String required(Properties properties, String name) {
    return Objects.requireNonNull(properties.getProperty(name), name);
  }

  private static void awaitEnd(InputStream in) {
    try {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // It has ended, too.
      assert e != null;
    }
    Runtime.getRuntime().halt(0);
  }
}

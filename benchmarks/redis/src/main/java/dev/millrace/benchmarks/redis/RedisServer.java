package dev.millrace.benchmarks.redis;

import dev.millrace.benchmarks.localstate.StoreUse;
import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.embedded.core.ExecutableProvider;

/// A Redis in a process of its own, on a free port of 127.0.0.1, which saves nothing to disk. It
/// ends with this process.
final class RedisServer {
  private static final String HOST = "127.0.0.1";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int END_SECONDS = 5;
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Process process;
  private final int port;

  private RedisServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /// Starts one and waits until it answers.
  ///
  /// @param directory for its program and what it says; must exist
  /// @throws IllegalStateException if it does not answer
  static RedisServer start(Path directory) throws IOException, InterruptedException {
    int port = FreePorts.next();
    Path program = ExecutableProvider.newJarResourceProvider(directory.toFile()).get().toPath();
    Path says = directory.resolve("redis.log");
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--bind",
                HOST,
                "--port",
                Integer.toString(port),
                "--save",
                "",
                "--appendonly",
                "no")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(says.toFile())
            .start();
    RedisServer server = new RedisServer(process, port);
    Runtime.getRuntime().addShutdownHook(new Thread(server::end, "end-redis"));
    server.awaitAnswer(says);
    return server;
  }

  private void awaitAnswer(Path says) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException(
            "Redis does not answer at %s:%d; it has said: %s"
                .formatted(HOST, port, Files.readString(says)));
      }
      Thread.sleep(LOOK);
    }
  }

  private boolean answers() {
    try (Jedis client = connect()) {
      return client.ping().equals("PONG");
    } catch (JedisConnectionException _) {
      return false; // not yet
    }
  }

  Jedis connect() {
    return new Jedis(HOST, port);
  }

  long pid() {
    return process.pid();
  }

  /// What it has used so far.
  StoreUse use() {
    return new StoreUse(
        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos(), residentBytes());
  }

  /// 0 where the system does not say.
  private long residentBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException _) {
      return 0; // another system, or it has ended
    }
  }

  private void end() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

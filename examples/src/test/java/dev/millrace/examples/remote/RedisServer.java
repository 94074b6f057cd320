package dev.millrace.examples.remote;

import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.embedded.core.ExecutableProvider;

/// A Redis on a free port of 127.0.0.1, which saves nothing to disk.
public final class RedisServer implements AutoCloseable {
  private final ServerProcess process;
  private final int port;
  private final JedisPool clients;

  private RedisServer(ServerProcess process, int port) {
    this.process = process;
    this.port = port;
    clients = new JedisPool(ServerProcess.HOST, port);
  }

  /// Starts one and waits until it answers.
  ///
  /// @param directory for its program and what it says
  public static RedisServer start(Path directory) throws IOException, InterruptedException {
    int port = FreePorts.next();
    Path program = ExecutableProvider.newJarResourceProvider(directory.toFile()).get().toPath();
    List<String> command =
        List.of(
            program.toString(),
            "--bind",
            ServerProcess.HOST,
            "--port",
            Integer.toString(port),
            "--save",
            "",
            "--appendonly",
            "no");
    ServerProcess process = ServerProcess.start(command, directory, directory.resolve("redis.log"));
    RedisServer server = new RedisServer(process, port);
    process.await(server::answers);
    return server;
  }

  private boolean answers() {
    try (Jedis client = new Jedis(ServerProcess.HOST, port)) {
      return client.ping().equals("PONG");
    } catch (JedisConnectionException _) {
      return false; // not yet
    }
  }

  public JedisPool clients() {
    return clients;
  }

  @Override
  public void close() {
    clients.close();
    process.close();
  }
}

package dev.millrace.benchmarks.redis;

import dev.millrace.benchmarks.localstate.StateJob;
import dev.millrace.benchmarks.localstate.StateTask;
import dev.millrace.benchmarks.localstate.Storing;
import dev.millrace.benchmarks.process.Parent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/// The process of a job whose state is in Redis.
final class RedisState {
  private RedisState() {}

  /// @param args as of [StateTask]
  public static void main(String[] args) throws IOException, InterruptedException {
    StateTask task = StateTask.of(args);
    Path directory = Files.createDirectories(task.state().resolveSibling("redis"));
    RedisServer server = RedisServer.start(directory);
    Parent.tell("store-pid", server.pid());
    Supplier<RemoteValues> connect = () -> new RemoteValues(server.connect());
    int most = task.storing() == Storing.REMOTE_EACH ? 1 : Integer.MAX_VALUE;
    switch (task.access()) {
      case READ_WRITE -> StateJob.run(task, () -> new RemoteCounts(connect, most), server::use);
      case READ_ONLY -> StateJob.run(task, () -> new RemoteTable(connect, most), server::use);
    }
  }
}

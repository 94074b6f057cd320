package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.Patience;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How many processes are kept alive, where others are wanted from time to time.
class LocalContainersTest {
  /// Nobody else waits for just so long.
  private static final List<String> SLEEPS = List.of("sleep", "86307");

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final LocalContainers containers = new LocalContainers(SLEEPS, out, out);

  private String said() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static Set<Long> alive() {
    Set<Long> alive = new TreeSet<>();
    ProcessHandle.current()
        .children()
        .filter(each -> each.info().commandLine().orElse("").endsWith(String.join(" ", SLEEPS)))
        .filter(ProcessHandle::isAlive)
        .forEach(each -> alive.add(each.pid()));
    return alive;
  }

  private static Set<Long> await(int count) {
    Patience.await(count + " processes", Duration.ofSeconds(30), () -> alive().size() == count);
    return alive();
  }

  @AfterEach
  void leaveNone() {
    alive().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }

  private FutureTask<Integer> run() {
    Callable<Integer> runs = containers::run;
    FutureTask<Integer> running = new FutureTask<>(runs);
    Thread.ofPlatform().daemon().start(running);
    return running;
  }

  @Test
  void thereAreAsManyAsAreWanted() throws ExecutionException, InterruptedException {
    containers.want(3);
    FutureTask<Integer> running = run();
    Set<Long> three = await(3);
    containers.want(1);
    Set<Long> one = await(1);
    assertTrue(three.containsAll(one));
    containers.want(4);
    Set<Long> four = await(4);
    assertTrue(four.containsAll(one), "Who was wanted all the time was ended.");
    // Wanted again before it has ended.
    containers.want(2);
    containers.want(3);
    await(3);
    containers.want(0);
    assertEquals(ExitCode.DONE, running.get(), said());
    assertEquals(Set.of(), alive());
  }

  @Test
  void whoDiesIsStartedAgainAndNotCountedAsUnwanted()
      throws ExecutionException, InterruptedException {
    containers.want(2);
    FutureTask<Integer> running = run();
    Set<Long> two = await(2);
    ProcessHandle.of(two.iterator().next()).orElseThrow().destroyForcibly();
    Patience.await(
        "Another one instead of the dead one",
        Duration.ofSeconds(30),
        () -> {
          Set<Long> now = alive();
          return now.size() == 2 && !now.equals(two);
        });
    assertTrue(said().contains("has ended with status 137"), said());
    containers.want(0);
    assertEquals(ExitCode.DONE, running.get(), said());
  }
}

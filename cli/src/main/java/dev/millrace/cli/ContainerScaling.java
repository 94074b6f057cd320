package dev.millrace.cli;

import dev.millrace.internal.cluster.place.Scaling;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Has [LocalContainers] run as many processes as their load needs, from its start until it is
/// closed. Where the load is not known, nothing changes.
final class ContainerScaling implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Scaling scaling;
  private final ContainerLoad load;
  private final LocalContainers containers;
  private final PrintStream err;
  private final CountDownLatch closed = new CountDownLatch(1);
  private String told = "";

  ContainerScaling(
      Scaling scaling, ContainerLoad load, LocalContainers containers, PrintStream err) {
    this.scaling = scaling;
    this.load = load;
    this.containers = containers;
    this.err = err;
  }

  void start() {
    Thread.ofPlatform().daemon().name("scaling").start(this::run);
  }

  private void run() {
    try (load) {
      while (!closed.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      ContainerLoad.Load now = load.look();
      int wanted = containers.wanted();
      if (now == null || now.running() != wanted) {
        return; // some are on their way
      }
      int next =
          scaling.next(now.busyWorkers(), now.workers() / now.running(), wanted, System.nanoTime());
      if (next != wanted) {
        err.println(
            "The workers of all containers (%d) were busy for %d %% of the time. There are %d containers from now on."
                .formatted(wanted, Math.round(100 * now.busyWorkers() / now.workers()), next));
        containers.want(next);
      }
      told = "";
    } catch (RuntimeException e) { // outermost: a cluster that is away for a moment stops nothing
      tell("How busy the containers are is not known now: " + e.getMessage());
    }
  }

  private void tell(String message) {
    if (!message.equals(told)) {
      told = message;
      err.println(message);
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

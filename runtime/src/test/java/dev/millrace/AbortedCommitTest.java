package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.Log;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long a job needs after a commit that was aborted until the next one is acknowledged, which
/// holds what the aborted one had.
@Tag("thorough")
class AbortedCommitTest {
  private static final int ABORTS_OF_A_ROUND = 20;

  /// In the first one the JVM does not know its way, and in some the machine is busy elsewhere.
  private static final int ROUNDS = 12;

  private static final Duration LONGEST = Duration.ofMillis(100);

  @TempDir Path directory;

  private final AtomicBoolean abort = new AtomicBoolean();
  private final List<Long> millis = new CopyOnWriteArrayList<>();
  private long abortedNanos;

  /// A writer that aborts where it is to commit, once each time that it is told to.
  private final class Aborting implements InvocationHandler {
    private final TransactionalWriter writer;
    private boolean used;

    private Aborting(TransactionalWriter writer) {
      this.writer = writer;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      String name = method.getName();
      used |= name.equals("send");
      if (name.equals("commit") && used && abort.compareAndSet(true, false)) {
        writer.abort();
        return null;
      }
      Object result = AbortedCommitTest.invoke(writer, method, arguments);
      if (result == Outcome.ABORTED) {
        abortedNanos = System.nanoTime();
        used = false;
      } else if (result == Outcome.COMMITTED && used) {
        if (abortedNanos != 0) {
          millis.add(Duration.ofNanos(System.nanoTime() - abortedNanos).toMillis());
          abortedNanos = 0;
        }
        used = false;
      }
      return result;
    }
  }

  private static Object invoke(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private Surroundings around(Surroundings inner) {
    Log log =
        (Log)
            Proxy.newProxyInstance(
                Log.class.getClassLoader(),
                new Class<?>[] {Log.class},
                (_, method, arguments) ->
                    method.getName().equals("writer")
                        ? Proxy.newProxyInstance(
                            Log.class.getClassLoader(),
                            new Class<?>[] {TransactionalWriter.class},
                            new Aborting(
                                (TransactionalWriter) invoke(inner.log(), method, arguments)))
                        : invoke(inner.log(), method, arguments));
    return new Surroundings(
        log, inner.disks(), inner.clock(), inner.sources(), inner.calls(), inner.snapshots());
  }

  @Test
  void progressIsMadeSoonAfterAnAbort() throws InterruptedException {
    progressIsMadeSoon(DataPlane.OFFICIAL);
  }

  @Test
  void theSameByRequestsOfOurOwn() throws InterruptedException {
    progressIsMadeSoon(DataPlane.DIRECT);
  }

  private void progressIsMadeSoon(DataPlane plane) throws InterruptedException {
    Numbers application = new Numbers(uniqueName("aborted"), false, 1, true);
    SharedTopics.create(application.in(), 1);
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane))
            .withCommit(CommitConfig.defaults().withLatencyTarget(Duration.ofMillis(5)))
            .withPlacement(PlacementConfig.defaults().withWorkers(1))
            .withState(
                StateConfig.in(directory.resolve(plane.name()))
                    .withFlushInterval(Duration.ofMillis(100)));
    try (Job job = Millrace.start(application, config, this::around)) {
      LaunchTest.await(job, JobState.RUNNING);
      int written = 0;
      do {
        for (int i = 0; i < ABORTS_OF_A_ROUND; i++) {
          writeAndRead(application, ++written);
          abort.set(true);
        }
      } while (medianOfRound() >= longest() && written < ROUNDS * ABORTS_OF_A_ROUND);
      int aborts = written;
      writeAndRead(application, ++written);
      assertTrue(job.stop(Duration.ofSeconds(30)));
      assertEquals(aborts, millis.size(), millis::toString);
    }
    assertTrue(medianOfRound() < longest(), () -> "Milliseconds with " + plane + ": " + millis);
  }

  private static void writeAndRead(Numbers application, int count) {
    SharedTopics.write(application.in(), "1");
    SharedTopics.read(application.out(), count);
  }

  private static long longest() {
    return Patience.grown(LONGEST).toMillis();
  }

  private long medianOfRound() {
    List<Long> all = List.copyOf(millis);
    List<Long> sorted =
        all.stream().skip(Math.max(0, all.size() - ABORTS_OF_A_ROUND)).sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}

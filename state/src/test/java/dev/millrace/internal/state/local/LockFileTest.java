package dev.millrace.internal.state.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.DiskException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LockFileTest {
  private static final String WHAT = "the state of a test";

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("LOCK");
  }

  private LockFile hold() {
    return LockFile.hold(file, WHAT);
  }

  private LockFile share() {
    return LockFile.share(file, WHAT);
  }

  private static DiskException assertInUse(Runnable attempt) {
    DiskException refusal = assertThrows(DiskException.class, attempt::run);
    assertEquals(DiskException.Kind.IN_USE, refusal.kind(), refusal.getMessage());
    return refusal;
  }

  /// Drawn attempts of one process against the rule: many share, or one holds alone.
  @Test
  void manyShareOrOneHoldsAlone() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<LockFile> sharing = new ArrayList<>();
      List<LockFile> alone = new ArrayList<>();
      for (int step = 0; step < 60; step++) {
        switch (random.nextInt(4)) {
          case 0 -> {
            if (alone.isEmpty()) {
              sharing.add(share());
            } else {
              assertInUse(this::share);
            }
          }
          case 1 -> {
            if (alone.isEmpty() && sharing.isEmpty()) {
              alone.add(hold());
            } else {
              assertInUse(this::hold);
            }
          }
          default -> {
            List<LockFile> closing = alone.isEmpty() ? sharing : alone;
            if (!closing.isEmpty()) {
              LockFile closed = closing.remove(random.nextInt(closing.size()));
              closed.close();
              closed.close();
            }
          }
        }
        assertEquals(!alone.isEmpty() || !sharing.isEmpty(), LockFile.isHeld(file));
      }
      sharing.forEach(LockFile::close);
      alone.forEach(LockFile::close);
    }
  }

  @Test
  void otherProcessesSeeTheSameRule() throws IOException, InterruptedException {
    share().close();
    try (OtherProcess other = new OtherProcess(file, "share")) {
      assertEquals("held", other.says());
      share().close();
      assertTrue(LockFile.isHeld(file));
      assertInUse(this::hold);
      // One of two that share in this process gives it back, and the other still has it.
      LockFile first = share();
      LockFile second = share();
      first.close();
      try (OtherProcess alone = new OtherProcess(file, "hold")) {
        assertEquals("refused", alone.says());
      }
      second.close();
    }
    assertFalse(LockFile.isHeld(file));
    try (OtherProcess other = new OtherProcess(file, "hold")) {
      assertEquals("held", other.says());
      for (Runnable attempt : List.<Runnable>of(this::hold, this::share)) {
        DiskException refusal = assertInUse(attempt);
        for (String part : List.of(WHAT, "pid " + other.pid(), "stop that process")) {
          assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
        }
      }
    }
    hold().close();
  }

  @Test
  void whoSharesLeavesNoNameOfAnEarlierHolder() {
    hold().close();
    try (LockFile sharing = share()) {
      assertEquals(0, file.toFile().length(), sharing::toString);
    }
  }

  @Test
  void aHolderThatIsAboutToGiveItUpIsAwaited() throws Exception {
    LockFile first = hold();
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<?> second =
          pool.submit(() -> LockFile.hold(file, WHAT, Duration.ofSeconds(30)).close());
      Thread.sleep(100);
      assertFalse(second.isDone());
      first.close();
      second.get();
    }
    try (LockFile _ = hold()) {
      assertInUse(() -> LockFile.hold(file, WHAT, Duration.ofMillis(50)));
    }
  }

  /// As whoever removes a directory does.
  @Test
  void aFileThatItsHolderDeletesIsNoLockAnyMore() throws Exception {
    AtomicInteger holders = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        ends.add(
            pool.submit(() -> {
              for (int round = 0; round < 200; round++) {
                try (LockFile _ = LockFile.hold(file, WHAT, Duration.ofSeconds(30))) {
                  assertEquals(1, holders.incrementAndGet());
                  Files.delete(file);
                  holders.decrementAndGet();
                }
              }
              return null;
            }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
  }

  /// Two processes delete the file after each time they held it, and count what they held in a file
  /// of which neither may lose a count of the other.
  @Test
  void aFileThatAnotherProcessDeletesIsNoLockAnyMore() throws IOException, InterruptedException {
    Path counter = Files.writeString(directory.resolve("counter"), "0");
    try (OtherProcess other = new OtherProcess(file, "count", counter.toString())) {
      assertEquals("begun", other.says());
      OtherProcess.count(file, counter);
      assertEquals("counted", other.says());
    }
    assertEquals(2 * OtherProcess.ROUNDS, Integer.parseInt(Files.readString(counter)));
  }

  /// Takes a lock, says whether it has it, and keeps it until it is closed.
  static final class OtherProcess implements AutoCloseable {
    static final int ROUNDS = 300;

    private final Process process;
    private final BufferedReader output;

    OtherProcess(Path file, String... arguments) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  OtherProcess.class.getName(),
                  file.toString()));
      command.addAll(List.of(arguments));
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      output = process.inputReader(StandardCharsets.US_ASCII);
    }

    public static void main(String[] arguments) throws IOException {
      Path file = Path.of(arguments[0]);
      if (arguments[1].equals("count")) {
        System.out.println("begun");
        count(file, Path.of(arguments[2]));
        System.out.println("counted");
        return;
      }
      try (LockFile _ =
          arguments[1].equals("share") ? LockFile.share(file, WHAT) : LockFile.hold(file, WHAT)) {
        System.out.println("held");
        System.in.read();
      } catch (DiskException e) {
        System.out.println(e.kind() == DiskException.Kind.IN_USE ? "refused" : e.toString());
      }
    }

    /// Does not wait between attempts, so that many of them meet a deletion.
    static void count(Path file, Path counter) throws IOException {
      for (int round = 0; round < ROUNDS; ) {
        try (LockFile _ = LockFile.hold(file, WHAT)) {
          int count = Integer.parseInt(Files.readString(counter));
          Files.writeString(counter, Integer.toString(count + 1));
          Files.delete(file);
          round++;
        } catch (DiskException e) {
          assertEquals(DiskException.Kind.IN_USE, e.kind());
        }
      }
    }

    String says() throws IOException {
      return output.readLine();
    }

    long pid() {
      return process.pid();
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }
}

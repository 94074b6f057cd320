package dev.millrace.examples.change;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.crash.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An application goes on from an older Millrace to the present one, is changed, rolled back to the
/// older one, and changed again: all of its results are compared.
///
/// The older one has one process for all tasks, and knows nothing of processes that share them, so
/// one of the two is stopped before the other starts. It is refused while a newer plan is recorded
/// that it cannot read, also with the program from which that one may be rolled back.
@Tag("thorough")
@Order(1)
class OlderMillraceTest {
  private static final Path PROGRAM =
      Path.of("src/test/java/dev/millrace/examples/change/Visits.java");
  private static final String FIRST = "first";
  private static final String CHANGED = "changed";

  @TempDir private Path directory;

  private String older;

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anApplicationIsTakenOverChangedRolledBackAndChangedAgain(int one) throws Exception {
    int other = 1 - one;
    older = OlderMillrace.compile(directory, PROGRAM.toAbsolutePath());
    Path run = Files.createDirectories(directory.resolve("run"));
    try (Containers containers = new Containers(run, one)) {
      startOlder(containers, one);
      containers.awaitResults(false);
      containers.kill(one);
      start(containers, one, FIRST);
      start(containers, other, FIRST);
      containers.awaitResults(false);
      containers.end(one);
      containers.end(other);
      startOlder(containers, other);
      containers.awaitResults(false);
      containers.kill(other);
      start(containers, one, CHANGED);
      containers.awaitResults(false);
      containers.kill(one);
      start(containers, one, CHANGED);
      start(containers, other, CHANGED);
      containers.awaitResults(false);
      containers.kill(other);
      containers.end(one);
      containers.refused(older(containers, other), "x store 'accounts'", "cannot be read");
      containers.deploy("rollback", Halting.Point.NOWHERE);
      startOlder(containers, other);
      containers.awaitResults(false);
      containers.end(other);
      start(containers, other, CHANGED);
      start(containers, one, CHANGED);
      containers.awaitResults(false);
      containers.deploy("finalize", Halting.Point.NOWHERE);
      containers.kill(one);
      containers.loseDisk(one);
      containers.refused(older(containers, one), "x store 'accounts'", "cannot be read");
      start(containers, one, CHANGED);
      containers.awaitResults(false);
      containers.endAll(false);
      System.out.println("older Millrace: " + containers.results());
      assertTrue(containers.load().count() > 0);
    }
  }

  private JavaProcess older(Containers containers, int container) {
    return new JavaProcess(
        "160m",
        containers.file("older"),
        older,
        Visits.class.getName(),
        arguments(containers, container, FIRST));
  }

  private void startOlder(Containers containers, int container) {
    containers.started(container, older(containers, container));
  }

  private static void start(Containers containers, int container, String version) {
    containers.started(
        container,
        new JavaProcess(
            "160m",
            containers.file(version),
            Visits.class,
            arguments(containers, container, version)));
  }

  private static List<String> arguments(Containers containers, int container, String version) {
    List<String> arguments = new ArrayList<>(List.of(version));
    arguments.addAll(containers.settings(container));
    return arguments;
  }
}

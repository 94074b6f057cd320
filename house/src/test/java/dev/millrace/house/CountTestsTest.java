package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountTestsTest {
  private final String script = Reactor.find().root().resolve(".ci/count-tests").toString();

  private final String slowest = Reactor.find().root().resolve(".ci/slowest-tests").toString();

  @TempDir private Path tree;

  @Test
  void theReportsOfAllModulesAreAddedUp() throws IOException {
    report("api/target/surefire-reports/TEST-a.xml", 3, 0, 0, 0);
    report("systems/kafka/target/surefire-reports/TEST-b.xml", 4, 0, 0, 0);
    report("systems/kafka/target/failsafe-reports/TEST-c.xml", 5, 0, 0, 0);
    report("api/src/test/resources/TEST-other.xml", 100, 0, 0, 0);

    assertEquals(new Ran(0, "12 passed, 0 failed\n"), count());
  }

  @Test
  void aFailureAndAnErrorFailTheCount() throws IOException {
    report("api/target/surefire-reports/TEST-a.xml", 10, 1, 0, 0);
    report("spi/target/surefire-reports/TEST-b.xml", 10, 0, 2, 0);

    assertEquals(new Ran(1, "17 passed, 3 failed\n"), count());
  }

  @Test
  void skippedTestsAreNotPassed() throws IOException {
    report("api/target/surefire-reports/TEST-a.xml", 10, 0, 0, 4);

    assertEquals(new Ran(0, "6 passed, 0 failed, 4 skipped\n"), count());
  }

  @Test
  void noTestAtAllFailsTheCount() throws IOException {
    assertEquals(new Ran(1, "0 passed, 0 failed\n"), count());

    report("api/target/surefire-reports/TEST-a.xml", 2, 0, 0, 2);
    assertEquals(new Ran(1, "0 passed, 0 failed, 2 skipped\n"), count());
  }

  @Test
  void crashSchedulesAreAddedUp() throws IOException {
    report("testkit/target/surefire-reports/TEST-a.xml", 2, 0, 0, 0);
    String said =
        """
        <testsuite name="x.ZTest" time="0.1" tests="1" errors="0" skipped="0" failures="0">
          <testcase name="a" classname="x.ZTest" time="0.1">
            <system-out><![CDATA[crash schedules: 1000 with 6 crashes
        crash schedules: 20
        ]]></system-out>
          </testcase>
        </testsuite>
        """;
    Files.writeString(tree.resolve("testkit/target/surefire-reports/TEST-b.xml"), said);

    assertEquals(new Ran(0, "1020 crash schedules\n3 passed, 0 failed\n"), count());
  }

  @Test
  void theTwentySlowestClassesAreNamedSlowestFirst() throws IOException {
    StringBuilder expected = new StringBuilder();
    for (int i = 25; i >= 1; i--) {
      report("m%d/target/surefire-reports/TEST-x.xml".formatted(i), "x.Y" + i, 1, i * 100 + 0.5);
      if (i > 5) {
        expected.append("%8.1f s  x.Y%d%n".formatted(i * 100 + 0.5, i));
      }
    }

    assertEquals(new Ran(0, expected.toString()), Ran.in(tree, slowest, tree.toString()));
  }

  private void report(String path, String name, int tests, double seconds) throws IOException {
    Path file = tree.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        "<testsuite xmlns:xsi=\"x\" version=\"3.0.2\" name=\"%s\" time=\"%s\" tests=\"%d\" errors=\"0\" skipped=\"0\" failures=\"0\">%n</testsuite>%n"
            .formatted(name, Double.toString(seconds), tests));
  }

  private Ran count() {
    return Ran.in(tree, script, tree.toString());
  }

  private void report(String path, int tests, int failures, int errors, int skipped)
      throws IOException {
    Path file = tree.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite version="3.0.2" name="x.YTest" time="0.1" tests="%d" errors="%d" skipped="%d" failures="%d">
          <testcase name="a" classname="x.YTest" time="0.1">
            <system-out><![CDATA[<testsuite tests="1000" errors="1000" skipped="0" failures="0">]]></system-out>
          </testcase>
        </testsuite>
        """
            .formatted(tests, errors, skipped, failures));
  }
}

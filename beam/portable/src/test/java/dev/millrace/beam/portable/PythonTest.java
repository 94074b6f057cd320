package dev.millrace.beam.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pipelines of the Python SDK run on a job server whose log is in memory.
@Tag("thorough")
class PythonTest {
  private static final Pattern PASSED = Pattern.compile("(\\d+) passed");
  private static final long PATIENCE_MINUTES = 20;

  /// So many of Beam's tests are not left out; Beam itself skips nine of them.
  private static final int BEAMS_TESTS = 64;

  @TempDir private Path directory;
  private JobServer server;
  private Path output;
  private Path lines;

  @BeforeAll
  static void install() throws Exception {
    PythonSdk.install();
  }

  @BeforeEach
  void start() throws IOException {
    output = directory.resolve("output");
    lines = directory.resolve("lines");
    server = JobServer.start(JobServerOptions.of(List.of("--port=0", "--settings=http.port=-1")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void wordsAreCounted() throws Exception {
    String text = "to be or not to be\nthat is the question\n".repeat(500);
    Map<String, Integer> counts = new TreeMap<>();
    for (String word : text.split("\\s+")) {
      counts.merge(word, 1, Integer::sum);
    }
    List<String> expected = new ArrayList<>();
    counts.forEach((word, count) -> expected.add(word + " " + count));
    assertEquals(0, words(text), this::output);
    assertEquals(expected, Files.readAllLines(lines).stream().sorted().toList());
    assertTrue(output().contains("attempted 5000 committed 5000"), this::output);
  }

  @Test
  void whatIsRaisedIsTold() throws Exception {
    assertNotEquals(0, words("to fail or not\n"));
    assertTrue(output().contains("ValueError: this word is not wanted"), this::output);
  }

  private int words(String text) throws Exception {
    Path file = Files.writeString(directory.resolve("text"), text);
    return run("words.py", "words", "--text=" + file, "--lines=" + lines);
  }

  private int run(String program, String job, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(PythonSdk.program(program)));
    all.addAll(List.of(arguments));
    all.addAll(PythonSdk.on(server.port(), job));
    return ended(PythonSdk.start(output, Map.of(), all));
  }

  private int ended(Process process) throws InterruptedException {
    try {
      assertTrue(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES), this::output);
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void statesTimersAndWindowsAreAsPlainArithmeticSays() throws Exception {
    int numbers = 3_000;
    int exit =
        run(
            "sums.py",
            "sums",
            "--lines=" + lines,
            "--numbers=" + numbers,
            "--a_second=5000",
            "--settings=log=memory");
    assertEquals(0, exit, this::output);
    assertEquals(Sums.expected(numbers), Files.readAllLines(lines).stream().sorted().toList());
  }

  @Test
  void anElementThatTakesLongIsProcessedInParts() throws Exception {
    Path begun = directory.resolve("begun");
    assertEquals(0, run("slow.py", "slow", "--lines=" + lines, "--begun=" + begun), this::output);
    assertEquals(
        List.of("100 4950", "101 5050", "102 5151"),
        Files.readAllLines(lines).stream().sorted().toList());
    List<String> parts = Files.readAllLines(begun);
    assertTrue(parts.size() > 3, parts::toString);
  }

  @Test
  void itIsAsBeamsOwnTestsSay() throws Exception {
    server.close();
    server =
        JobServer.start(
            JobServerOptions.of(
                List.of("--port=0", "--settings=http.port=-1", "--settings=log=memory")));
    Process tests =
        PythonSdk.start(
            output,
            Map.of("JOB_ENDPOINT", "127.0.0.1:" + server.port()),
            List.of(
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                // Of windows that only Python knows, which are refused.
                "-k",
                "not test_custom_merging_window and not test_custom_window_type",
                PythonSdk.program("beam_suite.py")));
    assertEquals(0, ended(tests), this::output);
    Matcher passed = PASSED.matcher(output());
    assertTrue(passed.find() && Integer.parseInt(passed.group(1)) == BEAMS_TESTS, this::output);
  }

  private String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }
}

package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KubernetesManifestCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... more) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    List<String> all =
        new ArrayList<>(List.of("kubernetes", "manifest", "counting", "--image", "counting:1"));
    all.addAll(List.of(more));
    return line.execute(all.toArray(String[]::new));
  }

  @Test
  void objectsAreWrittenAsYaml() {
    int status =
        run("--set", "kafka.bootstrap.servers=kafka:9092", "--secret", "http.token=access/token");
    assertEquals(ExitCode.DONE, status, err::toString);
    String text = out.toString();
    assertEquals(5, text.lines().filter(line -> line.equals("---")).count(), text);
    assertTrue(text.contains("kafka.bootstrap.servers: 'kafka:9092'"), text);
  }

  @Test
  void objectsAreWrittenAsABaseOfKustomize(@TempDir Path directory) throws IOException {
    Path base = directory.resolve("base");
    int status =
        run("--secret", "http.token=access/token", "--monitor", "--directory", base.toString());
    assertEquals(ExitCode.DONE, status, err::toString);
    List<String> objects =
        List.of(
            "service-account.yaml",
            "config-map.yaml",
            "service.yaml",
            "pod-disruption-budget.yaml",
            "stateful-set.yaml",
            "service-monitor.yaml");
    String list = Files.readString(base.resolve("kustomization.yaml"));
    for (String each : objects) {
      assertTrue(list.contains("- " + each), list);
      assertTrue(Files.readString(base.resolve(each)).contains("name: counting"), each);
    }
    try (Stream<Path> files = Files.list(base)) {
      assertEquals(objects.size() + 1, files.count());
    }
    assertTrue(
        out.toString().contains(base.resolve("stateful-set.yaml").toString()), out::toString);
  }

  @Test
  void whatIsMissingOrWrongIsSaid() {
    assertEquals(ExitCode.USAGE, run());
    assertTrue(err.toString().contains("--secret http.token=SECRET/KEY"), err::toString);
    assertEquals(ExitCode.USAGE, run("--secret", "http.token"));
    assertTrue(err.toString().contains("SETTING=SECRET/KEY"), err::toString);
    assertEquals(ExitCode.USAGE, run("--secret", "http.token=a/b", "--scale", "3"));
    assertTrue(err.toString().contains("MIN..MAX"), err::toString);
  }
}

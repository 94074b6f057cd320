package dev.millrace.internal.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The objects are validated strictly against the schemas of three versions of Kubernetes, by
/// `kubernetes-validate`, which `pip` installs for the test. What is written for the operator of
/// Prometheus has no schema there.
@Tag("thorough")
class SchemasTest {
  private static final String VALIDATOR = "kubernetes-validate==1.37.0";
  private static final List<String> VERSIONS = List.of("1.35", "1.36", "1.37");

  @TempDir private Path directory;

  private Path python;

  @BeforeEach
  void installTheValidator() throws IOException, InterruptedException {
    Path environment = directory.resolve("environment");
    assertEquals("", failure("python3", "-m", "venv", environment.toString()));
    python = environment.resolve("bin/python");
    assertEquals("", failure(python.toString(), "-m", "pip", "install", "-q", VALIDATOR));
  }

  private String validated(String version, String text) throws IOException, InterruptedException {
    Path file = directory.resolve("objects.yaml");
    Files.writeString(file, text);
    return failure(
        python.resolveSibling("kubernetes-validate").toString(),
        "--strict",
        "-k",
        version,
        file.toString());
  }

  /// What a program has said if it failed; empty if not.
  private String failure(String... command) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    int status =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    return status == 0 ? "" : "status " + status + ": " + Files.readString(output);
  }

  @Test
  void allVariantsAreValidInThreeVersions() throws IOException, InterruptedException {
    List<String> variants = new ArrayList<>();
    for (Wanted.Scaling scaling : List.of(Wanted.Scaling.NONE, new Wanted.Scaling(2, 8, 100_000))) {
      for (String storageClass : List.of("", "fast")) {
        variants.add(Yaml.of(new Manifest(wanted(scaling, storageClass)).objects()));
      }
    }
    for (String version : VERSIONS) {
      for (String variant : variants) {
        assertEquals("", validated(version, variant), version);
      }
      // It would be seen.
      String misspelt = variants.getFirst().replace("terminationGracePeriodSeconds", "gracePeriod");
      assertNotEquals(misspelt, variants.getFirst());
      String refused = validated(version, misspelt);
      assertTrue(refused.contains("gracePeriod"), refused);
    }
  }

  private static Wanted wanted(Wanted.Scaling scaling, String storageClass) {
    return new Wanted(
        "counting",
        "counting:1",
        3,
        "10Gi",
        storageClass,
        "500m",
        "2Gi",
        new TreeMap<>(Map.of("kafka.bootstrap.servers", "kafka:9092")),
        List.of(new Wanted.Secret("http.token", "access", "token")),
        Duration.ofSeconds(30),
        scaling,
        false);
  }
}

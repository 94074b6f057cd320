package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Builds projects that use Millrace beside what brings a Jackson of its own, and reads and writes
/// JSON in each, on the class path that Maven makes of it.
@Tag("thorough")
class OtherJacksonsTest {
  private static final String JSON =
      "{\"order-id\":\"a-1\",\"at\":\"1970-01-01T00:00:00Z\",\"amount\":3}\ntrue\n";
  private static final String CLASS_PATH =
      "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath";
  private static final int PATIENCE_SECONDS = 300;

  @TempDir Path directory;

  @Test
  void jsonWorksBesideOthersOrSaysWhatIsMissing() throws IOException, InterruptedException {
    Path repository = directory.resolve("repository");
    String usual =
        System.getProperty(
            "localRepository",
            Path.of(System.getProperty("user.home"), ".m2/repository").toString());
    ThrowAwayRepository.make(repository, Path.of(usual));
    String millrace = dependency("dev.millrace:millrace:" + version());
    String bom = bom("dev.millrace:millrace-bom:" + version());

    assertEquals(JSON, said("alone", "", millrace, repository));
    // Declared first, and as near as can be, as a careless project would.
    String avro = dependency("org.apache.avro:avro:1.12.0");
    assertEquals(JSON, said("avro", "", avro + millrace, repository));
    // A registry's client needs the databind of Jackson 2.
    String databind = dependency("com.fasterxml.jackson.core:jackson-databind:2.17.2");
    assertEquals(JSON, said("registry", "", middle(repository, databind) + millrace, repository));
    for (String boot : List.of("4.0.7", "4.1.2")) {
      String spring = bom("org.springframework.boot:spring-boot-dependencies:" + boot);
      assertEquals(JSON, said("boot-" + boot, spring, millrace, repository));
      assertEquals(JSON, said("both-" + boot, bom + spring, millrace, repository));
    }
    String spring = bom("org.springframework.boot:spring-boot-dependencies:3.5.7");
    assertEquals(JSON, said("both-3.5.7", bom + spring, millrace, repository));

    String refused = said("boot-3.5.7", spring, millrace, repository);
    assertTrue(refused.contains("jackson-annotations-2.19.2.jar"), refused);
    assertTrue(refused.contains("import dev.millrace:millrace-bom before"), refused);
    String old = dependency("com.fasterxml.jackson.core:jackson-annotations:2.17.2");
    refused = said("annotations", "", old + millrace, repository);
    assertTrue(refused.contains("jackson-annotations-2.17.2.jar"), refused);
    assertTrue(refused.contains("JsonSerializeAs"), refused);
  }

  /// What the program says on the class path of a project.
  private String said(String name, String management, String dependencies, Path repository)
      throws IOException, InterruptedException {
    Path project = Files.createDirectories(directory.resolve(name));
    Files.writeString(
        project.resolve("pom.xml"),
        pom(
            name,
            "<dependencyManagement><dependencies>%s</dependencies></dependencyManagement>"
                    .formatted(management)
                + "<dependencies>%s</dependencies>".formatted(dependencies)));
    run(
        project,
        List.of(
            "mvn",
            "-B",
            "-q",
            "-Dmaven.repo.local=" + repository,
            CLASS_PATH,
            "-Dmdep.outputFile=class-path"));
    String tests = Path.of("target/test-classes").toAbsolutePath().toString();
    String all =
        String.join(
            File.pathSeparator, tests, Files.readString(project.resolve("class-path")).strip());
    String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    return run(project, List.of(java, "-Xmx128m", "-cp", all, JsonUser.class.getName()));
  }

  private static String run(Path project, List<String> command)
      throws IOException, InterruptedException {
    Path output = project.resolve("output");
    Process process =
        new ProcessBuilder(new ArrayList<>(command))
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), command + " does not end");
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    assertEquals(0, process.exitValue(), said);
    return said;
  }

  /// Something between a project and what it is really about.
  private static String middle(Path repository, String dependencies) throws IOException {
    Path there = Files.createDirectories(repository.resolve("dev/millrace/middle/1"));
    Files.writeString(
        there.resolve("middle-1.pom"),
        pom("middle", "<packaging>pom</packaging><dependencies>" + dependencies + "</dependencies>")
            .replace("<groupId>com.example", "<groupId>dev.millrace"));
    return "<dependency><groupId>dev.millrace</groupId><artifactId>middle</artifactId><version>1</version><type>pom</type></dependency>";
  }

  private static String pom(String name, String content) {
    return """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>com.example</groupId>
      <artifactId>%s</artifactId>
      <version>1</version>
      %s
    </project>
    """
        .formatted(name, content);
  }

  private static String dependency(String coordinates) {
    String[] parts = coordinates.split(":");
    return "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>"
        .formatted(parts[0], parts[1], parts[2]);
  }

  private static String bom(String coordinates) {
    return dependency(coordinates)
        .replace("</dependency>", "<type>pom</type><scope>import</scope></dependency>");
  }

  private static String version() throws IOException {
    return ThrowAwayRepository.version();
  }
}

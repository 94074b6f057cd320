package dev.millrace.cli;

import dev.millrace.BuildVersion;
import dev.millrace.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;

/// The files of a new project: resources of this package in which `@name@` stands for a value.
final class Starter {
  private static final String CLASS = "WordCount";

  private final String packageName;
  private final Map<String, String> values = new LinkedHashMap<>();
  private final Map<String, String> files = new LinkedHashMap<>();

  /// @param project lower-case letters, digits and `-`
  Starter(String group, String project) {
    packageName = group + "." + project.replace("-", "");
    values.put("group", group);
    values.put("project", project);
    values.put("package", packageName);
    values.put("millrace.version", BuildVersion.version());
    Properties versions = new Properties();
    try (InputStream in = resource("versions.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    versions.forEach((name, value) -> values.put(name.toString(), value.toString()));
    String path = packageName.replace('.', '/');
    files.put("pom.xml", text("pom.xml.txt"));
    files.put("millrace.yaml", text("millrace.yaml.txt"));
    files.put(".gitignore", text("gitignore.txt"));
    files.put("Dockerfile", text("Dockerfile.txt"));
    files.put("src/main/resources/logback.xml", text("logback.xml.txt"));
    files.put("src/main/java/" + path + "/" + CLASS + ".java", text("WordCount.java.txt"));
    files.put("src/test/java/" + path + "/" + CLASS + "Test.java", text("WordCountTest.java.txt"));
  }

  /// Texts by path.
  Map<String, String> files() {
    return files;
  }

  /// Returns the package of all classes.
  String packageName() {
    return packageName;
  }

  /// Returns the full name of the class with the main.
  String mainClass() {
    return packageName + "." + CLASS;
  }

  /// Writes the files into a directory that has nothing in it yet.
  void writeTo(Path directory) throws IOException {
    if (Files.exists(directory)) {
      if (!Files.isDirectory(directory) || !isEmpty(directory)) {
        throw new UserException(
            ExitCode.USAGE, "%s exists and is not an empty directory.".formatted(directory));
      }
    }
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(path.getParent()));
      Files.writeString(path, file.getValue(), StandardOpenOption.CREATE_NEW);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.findAny().isEmpty();
    }
  }

  private String text(String name) {
    try (InputStream in = resource(name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (Map.Entry<String, String> value : values.entrySet()) {
        text = text.replace("@" + value.getKey() + "@", value.getValue());
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream resource(String name) {
    return Objects.requireNonNull(Starter.class.getResourceAsStream("starter/" + name), name);
  }
}

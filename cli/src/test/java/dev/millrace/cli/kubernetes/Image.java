package dev.millrace.cli.kubernetes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a pod runs, on top of the `/usr` of this machine.
///
/// @param files what lies under `/app`, for everybody to read
/// @param command that is run, before the arguments of the pod
record Image(Path files, List<String> command) {
  Image {
    command = List.copyOf(command);
  }

  /// The class path of this test, laid out as an image has it.
  ///
  /// @param directory for it
  /// @param main what is run
  static Image ofClassPath(Path directory, Class<?> main) throws IOException {
    Path files = Files.createDirectories(directory.resolve("image"));
    List<String> classPath = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path from = Path.of(each);
      if (Files.exists(from)) {
        String name = classPath.size() + "-" + from.getFileName();
        copy(from, files.resolve(name));
        classPath.add("/app/" + name);
      }
    }
    return new Image(
        files,
        List.of(
            "java",
            "-Xmx200m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            String.join(":", classPath),
            main.getName()));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, each.equals(from) ? to : to.resolve(from.relativize(each).toString()));
      }
    }
  }
}

package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.process.Child.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A command that was run in a process of its own, until its end.
///
/// @param out what it printed
/// @param seconds from the moment at which the process was asked for
record Command(int status, String out, double seconds) {
  static Command run(Program program, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(
        Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(program.options());
    command.addAll(List.of("-cp", program.classPath(), program.main()));
    command.addAll(arguments);
    long begun = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    return new Command(status, out, (System.nanoTime() - begun) / 1e9);
  }
}

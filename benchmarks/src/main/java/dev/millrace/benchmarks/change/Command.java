package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.process.Child.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A command that was run in a process of its own, until its end.
///
/// @param out what it printed
/// @param errors what it said besides
/// @param seconds from the moment at which the process was asked for
record Command(int status, String out, String errors, double seconds) {
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
    Process process = new ProcessBuilder(command).start();
    process.getOutputStream().close();
    FutureTask<String> errors = new FutureTask<>(() -> text(process.getErrorStream()));
    Thread.ofVirtual().start(errors);
    String out = text(process.getInputStream());
    int status = process.waitFor();
    double seconds = (System.nanoTime() - begun) / 1e9;
    try {
      return new Command(status, out, errors.get(), seconds);
    } catch (ExecutionException e) {
      throw new IOException("What a command said cannot be read.", e.getCause());
    }
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }
}

package dev.millrace.internal.yarn.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file by which a test knows of a process in a container: its name is the pid, and it has the
/// host and the container.
final class ProcessFile {
  static final String DIRECTORY = "processes";

  private ProcessFile() {}

  /// Writes that of this process.
  static void write(Path run) throws IOException {
    Path processes = Files.createDirectories(run.resolve(DIRECTORY));
    long pid = ProcessHandle.current().pid();
    Path draft = processes.resolve("." + pid);
    Files.writeString(draft, System.getenv("NM_HOST") + " " + System.getenv("CONTAINER_ID"));
    Files.move(draft, processes.resolve(Long.toString(pid)));
  }
}

package dev.millrace.cli.kubernetes;

import java.nio.file.Path;
import java.util.List;

/// What a pod runs, on top of the `/usr` of this machine.
///
/// @param files what lies under `/app`, for everybody to read
/// @param command that is run, before the arguments of the pod
record Image(Path files, List<String> command) {
  Image {
    command = List.copyOf(command);
  }
}

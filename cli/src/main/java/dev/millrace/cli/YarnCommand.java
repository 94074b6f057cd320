package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Runs the commands for YARN in a JVM of their own: they need the client of Hadoop, which is
/// larger than all of Millrace and which nothing else is to carry.
@Command(
    name = "yarn",
    mixinStandardHelpOptions = true,
    description = {
      "Runs applications on YARN: a master starts as many processes as are wanted, on the hosts"
          + " that have their state, and starts them again when they die.",
      "",
      "  submit   copies an application to HDFS and has YARN run it",
      "  status   shows its containers with their hosts and logs",
      "  logs     prints what its processes have written",
      "  kill     stops it in order",
      "  collect  removes the state of deleted applications from all hosts",
      "",
      "'millrace yarn COMMAND --help' describes each of them."
    })
final class YarnCommand implements Callable<Integer> {
  private static final String MAIN = "dev.millrace.internal.yarn.YarnMain";

  /// What 'millrace yarn collect' starts this command with, on hosts.
  private static final String CLASS_PATH = "millrace.command.classpath";

  @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "A command and its options.")
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    Path target = BenchCommand.home().resolve("cluster/yarn/target");
    List<String> command = new ArrayList<>();
    command.add(
        Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-D%s=%s"
                .formatted(
                    CLASS_PATH, Objects.requireNonNull(System.getProperty("java.class.path"))),
            "-cp",
            target.resolve("classes") + ":" + libraries(target),
            MAIN));
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UserException(
          ExitCode.FAILED, "The JVM for YARN cannot be started: " + e.getMessage());
    }
  }

  private static String libraries(Path target) {
    Path file = target.resolve("yarn.classpath");
    try {
      return Files.readString(file).strip();
    } catch (NoSuchFileException _) {
      throw new UserException(
          ExitCode.USAGE,
          "The part for YARN is not built: %s does not exist. Run this as './millrace yarn', or build it: mvn package -pl cluster/yarn -am -DskipTests"
              .formatted(file));
    } catch (IOException e) {
      throw new UserException(ExitCode.FAILED, "%s cannot be read: %s".formatted(file, e));
    }
  }
}

package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Lays out a project of the user's own.
@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = {
      "Creates a Maven project with an application that runs: a pom, a class, a test, and settings"
          + " for an embedded Kafka and short logs.",
    })
final class NewCommand implements Callable<Integer> {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final Pattern GROUP = Pattern.compile("[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*");

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      paramLabel = "DIR",
      description =
          "The directory, which must be empty or not exist. The project is named after it.")
  private Path directory;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "The name of the project, if not that of the directory: lower-case letters, digits and"
              + " -.")
  private @Nullable String name;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      defaultValue = "com.example",
      description =
          "The Maven group id, with which the package name begins; default: ${DEFAULT-VALUE}.")
  private String group = "com.example";

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    Path target = directory.toAbsolutePath().normalize();
    String project = project(target);
    if (!GROUP.matcher(group).matches()) {
      throw wrong(
          "--group '%s' must consist of lower-case names with dots between, such as org.acme.",
          group);
    }
    Starter starter = new Starter(group, project);
    for (String part : starter.packageName().split("\\.")) {
      if (SourceVersion.isKeyword(part)) {
        throw wrong(
            "'%s' is a keyword of Java and cannot be part of a package name. Give another --name or"
                + " --group.",
            part);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    try {
      starter.writeTo(target);
    } catch (IOException e) {
      throw new UserException(ExitCode.FAILED, "%s cannot be written: %s".formatted(directory, e));
    }
    out.println("Created %s:".formatted(directory));
    starter.files().keySet().forEach(file -> out.println("  " + file));
    out.println();
    out.println("Build and test it:  mvn -f %s verify".formatted(directory));
    out.println("Then run the main method of %s, in an IDE or with".formatted(starter.mainClass()));
    out.println(
        "  millrace run --classpath %s %s --embedded"
            .formatted(directory.resolve("target").resolve("classes"), starter.mainClass()));
    out.flush();
    return ExitCode.DONE;
  }

  private String project(Path target) {
    if (name != null) {
      if (!NAME.matcher(name).matches()) {
        throw wrong(
            "--name '%s' must consist of lower-case letters and digits, with - between.", name);
      }
      return name;
    }
    String last = Objects.toString(target.getFileName(), "");
    String usual = last.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    if (!NAME.matcher(usual).matches()) {
      throw wrong("'%s' cannot be the name of a project. Give one with --name.", last);
    }
    return usual;
  }

  private ParameterException wrong(String format, String what) {
    return new ParameterException(spec.commandLine(), format.formatted(what));
  }
}

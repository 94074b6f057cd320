package dev.millrace;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.StreamApplication;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.LoadedConfig;
import dev.millrace.internal.engine.plan.PlanPreview;
import dev.millrace.internal.engine.plan.PlanText;
import dev.millrace.spi.settings.ConfigException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Runs an application as a process: from its arguments to its exit code.
final class Launch {
  private final StreamApplication application;
  private final PrintStream out;
  private final PrintStream err;

  Launch(StreamApplication application, PrintStream out, PrintStream err) {
    this.application = application;
    this.out = out;
    this.err = err;
  }

  /// @return one of [ExitCode]
  int run(List<String> arguments, Map<String, String> variables) {
    if (arguments.contains("--help")) {
      out.print(help());
      return ExitCode.DONE;
    }
    if (arguments.contains("--version")) {
      out.println(BuildVersion.text());
      return ExitCode.DONE;
    }
    try {
      if (arguments.contains("--plan")) {
        out.print(PlanText.text(PlanPreview.of(application, Map.of())));
        return ExitCode.DONE;
      }
      LoadedConfig config = new ConfigLoader(Path.of(""), variables).load(arguments);
      Job job = Millrace.start(application, config.job());
      return await(job, config.job().stop().timeout());
    } catch (ConfigException | InvalidTopologyException e) {
      err.println(e.getMessage());
      return ExitCode.USAGE;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    }
  }

  private String help() {
    return """
    %s runs on Millrace %s.

    It is configured by the file millrace.yaml in the current directory (or the file of --config FILE), by
    environment variables and by flags: commit.interval is also MILLRACE_COMMIT_INTERVAL and
    --commit.interval=100ms. Flags override variables, which override the file. Flags in ( ) are short
    for the setting, values in [ ] are defaults.

    %s
      --plan
          Print the plan and exit.
      --version, --help
          Print the version, or this text, and exit.
    """
        .formatted(
            application.name(), BuildVersion.version(), ConfigLoader.describe().stripTrailing());
  }

  private int await(Job job, Duration timeout) throws InterruptedException {
    // The JVM would end with the signal's status, so the hook ends it with that of the job.
    Thread onSignal =
        new Thread(() -> Runtime.getRuntime().halt(stop(job, timeout)), "millrace-signal");
    Runtime.getRuntime().addShutdownHook(onSignal);
    job.await();
    if (!removed(onSignal)) {
      // The JVM is going down; the hook says how.
      onSignal.join();
    }
    return status(job);
  }

  private static boolean removed(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      return false; // it is running
    }
  }

  private int stop(Job job, Duration timeout) {
    try {
      if (job.stop(timeout)) {
        return status(job);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    err.println(
        "The last records that '%s' processed could not be committed within %d ms (stop.timeout). Its next start processes them again."
            .formatted(application.name(), timeout.toMillis()));
    err.flush();
    return ExitCode.STOP_TIMEOUT;
  }

  private int status(Job job) {
    JobFailure failure = job.failure();
    if (failure == null) {
      return job.isToRestart() ? ExitCode.RESTART : ExitCode.DONE;
    }
    err.println(failure.message());
    err.flush();
    return failure.exitCode();
  }
}

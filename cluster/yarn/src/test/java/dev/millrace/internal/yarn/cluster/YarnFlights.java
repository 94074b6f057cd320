package dev.millrace.internal.yarn.cluster;

import dev.millrace.Millrace;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.connector.KeyedSource;
import dev.millrace.examples.flights.DelayedFlights;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// The flights as a process in a container of YARN: it says where it is, is slow until it is told to
/// hurry, and has a directory for state for each host, which are all on this machine.
///
///     YarnFlights <directory> [<setting>...]
public final class YarnFlights implements StreamApplication {
  static final String HURRY = "hurry";

  /// A host for which there is such a file fails at once.
  static final String BAD = "bad-";

  private static final int PAUSE_MILLIS = 10;

  private static volatile boolean hurries;

  @Override
  public String name() {
    return "flights-on-yarn";
  }

  @Override
  public void describe(Topology topology) {
    Topology slow =
        (Topology)
            Proxy.newProxyInstance(
                Topology.class.getClassLoader(),
                new Class<?>[] {Topology.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("from")
                      && arguments[0] instanceof KeyedSource<?, ?> source) {
                    return topology.from(source).peek(_ -> pause());
                  }
                  try {
                    return method.invoke(topology, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    new DelayedFlights().describe(slow);
  }

  private static void pause() {
    if (!hurries) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    String host = System.getenv("NM_HOST");
    if (Files.exists(directory.resolve(BAD + host))) {
      System.exit(1);
    }
    ProcessFile.write(directory);
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          while (!hurries) {
            hurries = Files.exists(directory.resolve(HURRY));
            try {
              Thread.sleep(100);
            } catch (InterruptedException _) {
              return;
            }
          }
        });
    String[] settings = Arrays.copyOfRange(args, 1, args.length + 1);
    settings[settings.length - 1] = "--state.directory=" + directory.resolve("state-" + host);
    Millrace.run(new YarnFlights(), settings);
  }
}

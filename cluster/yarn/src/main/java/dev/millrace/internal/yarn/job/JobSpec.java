package dev.millrace.internal.yarn.job;

import dev.millrace.internal.yarn.fleet.FleetPolicy;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/// What an application master is to run.
///
/// @param count how many processes
/// @param memoryMegabytes of each container
/// @param command what each container runs, a line for the shell
/// @param environment of each process
/// @param files that each container needs
/// @param hosts on which containers may be, as far as they were known when this was submitted
/// @param everyHost whether each process belongs on the host of its number, and nowhere else
public record JobSpec(
    String name,
    int count,
    long memoryMegabytes,
    int cores,
    String command,
    SortedMap<String, String> environment,
    List<JobFile> files,
    List<String> hosts,
    boolean everyHost,
    FleetPolicy policy) {
  /// The name of the file.
  public static final String FILE = "job.properties";

  private static final String COMMAND = "command";
  private static final String ENVIRONMENT = "environment.";
  private static final String FILES = "file.";
  private static final String HOSTS = "host.";

  /// Returns this as the text of a file of properties.
  public String text() {
    Properties all = new Properties();
    all.setProperty("name", name);
    all.setProperty("count", Integer.toString(count));
    all.setProperty("memory", Long.toString(memoryMegabytes));
    all.setProperty("cores", Integer.toString(cores));
    all.setProperty(COMMAND, command);
    all.setProperty("every-host", Boolean.toString(everyHost));
    all.setProperty("affinity-wait", Long.toString(policy.affinityWait().toMillis()));
    all.setProperty("host-failures", Integer.toString(policy.hostFailures()));
    all.setProperty("give-up-after", Integer.toString(policy.giveUpAfter()));
    environment.forEach((key, value) -> all.setProperty(ENVIRONMENT + key, value));
    put(all, FILES, files.stream().map(JobFile::text).toList());
    put(all, HOSTS, hosts);
    StringWriter text = new StringWriter();
    try {
      all.store(text, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void put(Properties all, String prefix, List<String> values) {
    for (int i = 0; i < values.size(); i++) {
      all.setProperty(prefix + i, values.get(i));
    }
  }

  /// Reads what [#text] has written.
  ///
  /// @throws IllegalArgumentException if it is something else
  public static JobSpec of(String text) {
    Properties all = new Properties();
    try {
      all.load(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SortedMap<String, String> environment = new TreeMap<>();
    for (String key : all.stringPropertyNames()) {
      if (key.startsWith(ENVIRONMENT)) {
        environment.put(key.substring(ENVIRONMENT.length()), value(all, key));
      }
    }
    FleetPolicy policy =
        FleetPolicy.defaults()
            .withAffinityWait(Duration.ofMillis(number(all, "affinity-wait")))
            .withFailures(
                Math.toIntExact(number(all, "host-failures")),
                Math.toIntExact(number(all, "give-up-after")));
    return new JobSpec(
        value(all, "name"),
        Math.toIntExact(number(all, "count")),
        number(all, "memory"),
        Math.toIntExact(number(all, "cores")),
        value(all, COMMAND),
        environment,
        list(all, FILES).stream().map(JobFile::of).toList(),
        list(all, HOSTS),
        Boolean.parseBoolean(value(all, "every-host")),
        policy);
  }

  private static List<String> list(Map<Object, Object> all, String prefix) {
    List<String> values = new ArrayList<>();
    for (int i = 0; all.get(prefix + i) instanceof String value; i++) {
      values.add(value);
    }
    return values;
  }

  private static long number(Properties all, String key) {
    return Long.parseLong(value(all, key));
  }

  private static String value(Properties all, String key) {
    String value = all.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("The job has no '%s'.".formatted(key));
    }
    return value;
  }
}

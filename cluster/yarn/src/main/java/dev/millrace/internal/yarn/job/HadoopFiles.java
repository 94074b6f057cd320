package dev.millrace.internal.yarn.job;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;

/// The configuration of a Hadoop cluster: `core-site.xml`, `hdfs-site.xml` and `yarn-site.xml` of a
/// directory.
public final class HadoopFiles {
  /// The name under which it is given to a master, as one file.
  public static final String ONE = "cluster-site.xml";

  private static final List<String> NAMES =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml");
  private static final Path USUAL = Path.of("/etc/hadoop/conf");

  private HadoopFiles() {}

  /// Returns the directory: the one that is given, else that of `HADOOP_CONF_DIR`, `YARN_CONF_DIR`,
  /// `HADOOP_HOME/etc/hadoop` or `/etc/hadoop/conf`; null if none of them has such a file.
  public static @Nullable Path find(@Nullable Path given, Map<String, String> environment) {
    if (given != null) {
      return hasSome(given) ? given : null;
    }
    List<Path> usual = new ArrayList<>();
    for (String name : List.of("HADOOP_CONF_DIR", "YARN_CONF_DIR")) {
      String value = environment.get(name);
      if (value != null && !value.isEmpty()) {
        usual.add(Path.of(value));
      }
    }
    String home = environment.get("HADOOP_HOME");
    if (home != null && !home.isEmpty()) {
      usual.add(Path.of(home, "etc", "hadoop"));
    }
    usual.add(USUAL);
    for (Path each : usual) {
      if (hasSome(each)) {
        return each;
      }
    }
    return null;
  }

  private static boolean hasSome(Path directory) {
    return NAMES.stream().anyMatch(name -> Files.isRegularFile(directory.resolve(name)));
  }

  /// Returns what the files of a directory say, over Hadoop's defaults.
  public static YarnConfiguration read(Path directory) {
    YarnConfiguration all = new YarnConfiguration();
    add(directory, all);
    return all;
  }

  /// Returns what the files of a directory say, as one file.
  public static String text(Path directory) throws IOException {
    StringWriter text = new StringWriter();
    Configuration own = new Configuration(false);
    add(directory, own);
    own.writeXml(text);
    return text.toString();
  }

  private static void add(Path directory, Configuration to) {
    for (String name : NAMES) {
      Path file = directory.resolve(name);
      if (Files.isRegularFile(file)) {
        to.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
  }
}

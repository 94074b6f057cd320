package dev.millrace.internal.yarn;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where the Hadoop cluster is.
final class HadoopOptions {
  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "The directory with core-site.xml, hdfs-site.xml and yarn-site.xml; default:"
              + " HADOOP_CONF_DIR.")
  private @Nullable Path directory;

  @Option(
      names = "--staging",
      paramLabel = "PATH",
      description = "Where files are copied to in HDFS; default: .millrace in your home there.")
  private @Nullable String staging;

  /// Connects to it.
  Session open() throws IOException {
    return open(null);
  }

  /// Connects to it as somebody.
  ///
  /// @param keytab null for who has logged in
  Session open(@Nullable Keytab keytab) throws IOException {
    return new Session(directory, staging, keytab);
  }
}

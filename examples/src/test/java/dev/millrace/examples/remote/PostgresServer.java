package dev.millrace.examples.remote;

import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.tukaani.xz.XZInputStream;

/// A PostgreSQL on a free port of 127.0.0.1, with a database of its own that goes with it.
///
/// It refuses to run as root. Where this process does, the server gets the user `nobody`, by
/// `setpriv`, which every Debian has; so its files lie outside the directories of tests, which only
/// their owner may enter.
public final class PostgresServer implements AutoCloseable {
  private static final String PROGRAMS = "/postgres-linux-x86_64.txz";
  private static final String OTHER_USER = "nobody";
  private static final String OWNER = "postgres";

  private final Path directory;
  private final ServerProcess process;
  private final PGSimpleDataSource database = new PGSimpleDataSource();

  private PostgresServer(Path directory, ServerProcess process, int port) {
    this.directory = directory;
    this.process = process;
    database.setServerNames(new String[] {ServerProcess.HOST});
    database.setPortNumbers(new int[] {port});
    database.setDatabaseName(OWNER);
    database.setUser(OWNER);
  }

  /// Starts one and waits until it answers.
  public static PostgresServer start() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("millrace-postgres");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    unpack(directory);
    Path data = Files.createDirectory(directory.resolve("data"));
    List<String> asUser = asUser(directory, data);
    Path says = directory.resolve("postgres.log");
    ServerProcess.run(
        with(asUser, "bin/initdb", "-D", "data", "-U", OWNER, "-A", "trust", "-E", "UTF-8", "-N"),
        directory,
        directory.resolve("initdb.log"));
    int port = FreePorts.next();
    ServerProcess process =
        ServerProcess.start(
            with(
                asUser,
                "bin/postgres",
                "-D",
                "data",
                "-h",
                ServerProcess.HOST,
                "-p",
                Integer.toString(port),
                "-k",
                "",
                "-F"),
            directory,
            says);
    PostgresServer server = new PostgresServer(directory, process, port);
    process.await(server::answers);
    return server;
  }

  /// The archive has links and modes, which tar knows about.
  private static void unpack(Path directory) throws IOException, InterruptedException {
    Path says = directory.resolve("tar.log");
    Process tar =
        new ProcessBuilder("tar", "-x", "-C", directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(says.toFile())
            .start();
    try (InputStream archive = PostgresServer.class.getResourceAsStream(PROGRAMS);
        InputStream unpacked = new XZInputStream(archive);
        OutputStream to = tar.getOutputStream()) {
      unpacked.transferTo(to);
    }
    if (tar.waitFor() != 0) {
      throw new IllegalStateException(
          "The programs of PostgreSQL could not be unpacked: " + Files.readString(says));
    }
  }

  /// What stands before a command so that the server does not run as root.
  private static List<String> asUser(Path directory, Path data) throws IOException {
    boolean root = Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid"));
    if (!root) {
      return List.of();
    }
    UserPrincipal other =
        directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER_USER);
    Files.setOwner(data, other);
    return List.of("setpriv", "--reuid", OTHER_USER, "--clear-groups");
  }

  private static List<String> with(List<String> before, String... command) {
    List<String> all = new ArrayList<>(before);
    all.addAll(List.of(command));
    return all;
  }

  private boolean answers() {
    try (Connection connection = database.getConnection()) {
      return connection.isValid(1);
    } catch (SQLException _) {
      return false; // not yet
    }
  }

  public DataSource database() {
    return database;
  }

  @Override
  public void close() throws IOException {
    process.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

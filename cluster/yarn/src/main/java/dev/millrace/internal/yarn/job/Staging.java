package dev.millrace.internal.yarn.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/// A user's directory in HDFS for what is run on YARN.
///
/// | path | what it is |
/// |---|---|
/// | `lib/HASH/NAME` | a jar or another file, once for all applications that have the same |
/// | `applications/ID/` | what one run has for itself, until it ends |
/// | `homes/NAME` | the hosts on which the state of an application lies |
public final class Staging {
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);
  private static final FsPermission SECRET = new FsPermission((short) 0600);
  private static final int HASH_BYTES = 12;

  private final FileSystem files;
  private final FileContext context;
  private final Path root;

  /// @param root the directory, which is created if need be
  public Staging(FileSystem files, Path root) throws IOException {
    this.files = files;
    this.root = files.makeQualified(root);
    context = FileContext.getFileContext(this.root.toUri(), files.getConf());
  }

  /// Returns the directory where it is if nobody says otherwise.
  public static Path usual(FileSystem files) {
    return new Path(files.getHomeDirectory(), ".millrace");
  }

  /// Returns the directory, with the name of its file system.
  public Path root() {
    return root;
  }

  /// Returns the directory of one run.
  public Path run(ApplicationId id) {
    return new Path(new Path(root, "applications"), id.toString());
  }

  /// Returns the file with the hosts of an application.
  public Path homes(String name) {
    return new Path(new Path(root, "homes"), name);
  }

  /// Returns a local file as it is in HDFS; it is copied there unless it is there already.
  public JobFile upload(java.nio.file.Path local) throws IOException {
    String name = String.valueOf(local.getFileName());
    Path directory = new Path(new Path(root, "lib"), hash(local));
    Path there = new Path(directory, name);
    long size = Files.size(local);
    FileStatus found = status(there);
    if (found == null || found.getLen() != size) {
      create(directory);
      Path draft = new Path(directory, name + "." + UUID.randomUUID());
      files.copyFromLocalFile(new Path(local.toUri()), draft);
      context.rename(draft, there, Options.Rename.OVERWRITE);
      found = files.getFileStatus(there);
    }
    return file(name, found);
  }

  private static JobFile file(String link, FileStatus status) {
    return new JobFile(
        link, status.getPath().toString(), status.getLen(), status.getModificationTime(), false);
  }

  private static String hash(java.nio.file.Path local) throws IOException {
    try (InputStream in = Files.newInputStream(local)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every JDK has SHA-256.", e);
    }
  }

  private void create(Path directory) throws IOException {
    if (!files.exists(root)) {
      files.mkdirs(root, PRIVATE);
    }
    files.mkdirs(directory, PRIVATE);
  }

  /// Writes a text, as a whole or not at all.
  public JobFile write(Path path, String text) throws IOException {
    create(path.getParent());
    Path draft = path.suffix(".new");
    try (OutputStream out = files.create(draft, true)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    context.rename(draft, path, Options.Rename.OVERWRITE);
    return file(path.getName(), files.getFileStatus(path));
  }

  /// Copies a local file that only its owner may read.
  public JobFile copySecret(java.nio.file.Path local, Path path) throws IOException {
    create(path.getParent());
    try (OutputStream out = FileSystem.create(files, path, SECRET)) {
      Files.copy(local, out);
    }
    return file(path.getName(), files.getFileStatus(path));
  }

  /// Returns the lines of a text; none if there is no such file.
  public List<String> lines(Path path) throws IOException {
    if (status(path) == null) {
      return List.of();
    }
    try (InputStream in = files.open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /// Returns whether there is such a file.
  public boolean has(Path path) throws IOException {
    return files.exists(path);
  }

  /// Returns what is in a directory; nothing if it is not there.
  public List<FileStatus> list(String directory) throws IOException {
    Path path = new Path(root, directory);
    return status(path) == null ? List.of() : new ArrayList<>(List.of(files.listStatus(path)));
  }

  /// Removes a file or a directory.
  public void remove(Path path) throws IOException {
    files.delete(path, true);
  }

  private @Nullable FileStatus status(Path path) throws IOException {
    try {
      return files.getFileStatus(path);
    } catch (java.io.FileNotFoundException _) {
      return null;
    }
  }
}

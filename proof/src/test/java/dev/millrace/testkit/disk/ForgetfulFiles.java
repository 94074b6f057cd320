package dev.millrace.testkit.disk;

import dev.millrace.internal.state.run.RunFiles;
import java.util.SortedSet;

/// Files that leave out what a careless implementation would leave out, to prove that the crash
/// test notices.
final class ForgetfulFiles implements RunFiles {
  /// What is left out.
  enum Omission {
    SYNC_OF_CONTENT,
    SYNC_OF_NAMES
  }

  private final RunFiles files;
  private final Omission omission;

  ForgetfulFiles(RunFiles files, Omission omission) {
    this.files = files;
    this.omission = omission;
  }

  @Override
  public SortedSet<String> list() {
    return files.list();
  }

  @Override
  public Appender create(String name) {
    Appender file = files.create(name);
    return omission == Omission.SYNC_OF_CONTENT ? new UnsyncedAppender(file) : file;
  }

  @Override
  public Content open(String name) {
    return files.open(name);
  }

  @Override
  public void rename(String from, String to) {
    files.rename(from, to);
  }

  @Override
  public void delete(String name) {
    files.delete(name);
  }

  @Override
  public void syncNames() {
    if (omission != Omission.SYNC_OF_NAMES) {
      files.syncNames();
    }
  }

  @Override
  public String describe(String name) {
    return files.describe(name);
  }

  @Override
  public void close() {
    files.close();
  }

  private record UnsyncedAppender(Appender file) implements Appender {
    @Override
    public void append(byte[] bytes, int offset, int length) {
      file.append(bytes, offset, length);
    }

    @Override
    public void sync() {}

    @Override
    public void close() {
      file.close();
    }
  }
}

package dev.millrace.state.run;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/// The files of one task: `TASK.manifest`, `TASK.new-manifest` while one is being written, and
/// `TASK.run-NUMBER`. Here is the order in which they are written and synced, on which everything
/// rests.
final class TaskFiles {
  private final RunFiles files;
  private final String prefix;
  private long lastNumber;

  TaskFiles(RunFiles files, String task) {
    this.files = files;
    this.prefix = task + ".";
  }

  /// Reads the manifest, or creates one without runs, and deletes what it does not name. If a
  /// process was killed between the rename and the sync of names, the manifest it leaves is synced
  /// before it is believed: else a later loss of power could take back a position that was already
  /// given out.
  Manifest recover() {
    files.syncNames();
    SortedSet<String> found = mine();
    boolean anyRuns = false;
    for (String name : found) {
      if (name.startsWith(runPrefix())) {
        anyRuns = true;
        lastNumber = Math.max(lastNumber, numberOf(name));
      }
    }
    if (found.contains(manifest())) {
      Manifest manifest = Manifest.decode(read(manifest()), files.describe(manifest()));
      deleteAllBut(manifest, found);
      return manifest;
    }
    if (anyRuns) {
      throw Manifest.corrupt(files.describe(manifest()), "is missing, although there are runs");
    }
    Manifest empty = new Manifest(null, List.of());
    deleteAllBut(empty, found);
    stage(empty);
    publish();
    return empty;
  }

  Run open(Manifest.RunName name) {
    String file = run(name.number());
    if (!files.list().contains(file)) {
      throw Manifest.corrupt(files.describe(file), "is missing, although the manifest names it");
    }
    return Run.open(files.open(file), name, files.describe(file));
  }

  /// Writes a run that no manifest names yet.
  Manifest.RunName write(Disk.SortedRun run) {
    long number = ++lastNumber;
    try (RunFiles.Appender file = files.create(run(number))) {
      return RunWriter.write(file, number, run);
    }
  }

  /// Writes a manifest that is not in force yet, and makes its name and those of the runs durable.
  void stage(Manifest manifest) {
    byte[] bytes = manifest.encode();
    try (RunFiles.Appender file = files.create(newManifest())) {
      file.append(bytes, 0, bytes.length);
      file.sync();
    }
    files.syncNames();
  }

  /// Puts the staged manifest in force. If this fails it is not known which one is.
  void publish() {
    files.rename(newManifest(), manifest());
    files.syncNames();
  }

  /// Deletes what was written since the last manifest was published.
  void discard(Manifest inForce) {
    deleteAllBut(inForce, mine());
  }

  /// Deletes all files of the task, the manifest first, so that a crash in the middle is noticed.
  void wipe() {
    SortedSet<String> found = mine();
    if (found.remove(manifest())) {
      files.delete(manifest());
      files.syncNames();
    }
    found.forEach(files::delete);
    files.syncNames();
  }

  String describe() {
    return files.describe(manifest());
  }

  private void deleteAllBut(Manifest manifest, SortedSet<String> found) {
    Set<String> named = new HashSet<>();
    named.add(manifest());
    manifest.runs().forEach(run -> named.add(run(run.number())));
    for (String name : found) {
      if (!named.contains(name)) {
        files.delete(name);
      }
    }
  }

  private SortedSet<String> mine() {
    SortedSet<String> names = files.list();
    names.removeIf(name -> !name.startsWith(prefix));
    return names;
  }

  private byte[] read(String name) {
    try (RunFiles.Content content = files.open(name)) {
      byte[] bytes = new byte[Math.toIntExact(content.length())];
      content.read(0, bytes, 0, bytes.length);
      return bytes;
    }
  }

  private String manifest() {
    return prefix + "manifest";
  }

  private String newManifest() {
    return prefix + "new-manifest";
  }

  private String runPrefix() {
    return prefix + "run-";
  }

  private String run(long number) {
    return runPrefix() + "%012d".formatted(number);
  }

  private long numberOf(String runFile) {
    try {
      return Long.parseLong(runFile.substring(runPrefix().length()));
    } catch (NumberFormatException e) {
      throw new DiskException(
          DiskException.Kind.IO,
          files.describe(runFile) + " is not a file of this program; move it elsewhere",
          e);
    }
  }
}

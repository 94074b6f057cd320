package dev.millrace.internal.state.run;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The files of one task: `TASK.manifest`, `TASK.new-manifest` while one is being written, and
/// `TASK.run-NUMBER`; and `TASK.stage-NAME` for what is to become such files, see [SortedRunStage].
/// Here is the order in which they are written and synced, on which everything rests.
final class TaskFiles {
  /// What the manifest is called in an image.
  static final String MANIFEST = "manifest";

  static final String STAGE = "stage-";
  private static final String RUN = "run-";

  private final RunFiles files;
  private final String prefix;

  /// How many images need each run.
  private final Map<Long, Integer> pins = new TreeMap<>();

  private boolean released;
  private long lastNumber;

  TaskFiles(RunFiles files, String task) {
    this.files = files;
    this.prefix = task + ".";
  }

  /// Returns the tasks that have a manifest, in order.
  static SortedSet<String> stored(RunFiles files) {
    SortedSet<String> tasks = new TreeSet<>();
    for (String name : files.list()) {
      int dot = name.indexOf('.');
      if (name.substring(dot + 1).equals(MANIFEST)) {
        tasks.add(name.substring(0, dot));
      }
    }
    return Collections.unmodifiableSortedSet(tasks);
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
    if (anyRuns && !found.contains(stagePrefix() + MANIFEST)) {
      throw Manifest.corrupt(files.describe(manifest()), "is missing, although there are runs");
    }
    if (anyRuns) {
      deleteBrokenStage(found);
    }
    Manifest empty = new Manifest(null, List.of());
    deleteAllBut(empty, found);
    stage(empty);
    publish();
    return empty;
  }

  /// A process died while it put a stage in place. Its runs are not the task's yet, and the stage
  /// has lost them.
  private void deleteBrokenStage(SortedSet<String> found) {
    found.removeIf(name -> {
      boolean delete =
          name.startsWith(stagePrefix()) && !name.equals(stagePrefix() + MANIFEST)
              || name.startsWith(runPrefix());
      if (delete) {
        files.delete(name);
      }
      return delete;
    });
    files.syncNames();
    files.delete(stagePrefix() + MANIFEST);
    found.remove(stagePrefix() + MANIFEST);
  }

  RunReader open(Manifest.RunName name) {
    String file = run(name.number());
    if (!files.list().contains(file)) {
      throw Manifest.corrupt(files.describe(file), "is missing, although the manifest names it");
    }
    return RunReader.open(files.open(file), name, files.describe(file));
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

  /// Publishes the staged manifest. If this fails, it is unknown which manifest is valid.
  void publish() {
    files.rename(newManifest(), manifest());
    files.syncNames();
  }

  /// Deletes what was written since the last manifest was published.
  void discard(Manifest inForce) {
    deleteAllBut(inForce, mine());
  }

  /// Keeps runs until they are unpinned, also when no manifest names them any more.
  synchronized void pin(List<Manifest.RunName> runs) {
    runs.forEach(run -> pins.merge(run.number(), 1, Integer::sum));
  }

  /// Thread-safe, as no other method here.
  synchronized void unpin(List<Manifest.RunName> runs) {
    runs.forEach(run -> pins.computeIfPresent(run.number(), (_, n) -> n == 1 ? null : n - 1));
    released = true;
  }

  /// Returns whether something was unpinned since the last call.
  synchronized boolean takeReleased() {
    boolean was = released;
    released = false;
    return was;
  }

  private synchronized Set<Long> pinned() {
    return new HashSet<>(pins.keySet());
  }

  /// Opens a run's file, which was pinned, for itself.
  RunFiles.Content content(Manifest.RunName name) {
    return files.open(run(name.number()));
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
    pinned().forEach(number -> named.add(run(number)));
    boolean staged = manifest.position() == null;
    for (String name : found) {
      if (!named.contains(name) && !(staged && name.startsWith(stagePrefix()))) {
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
    return prefix + MANIFEST;
  }

  private String newManifest() {
    return prefix + "new-manifest";
  }

  private String runPrefix() {
    return prefix + RUN;
  }

  private String stagePrefix() {
    return prefix + STAGE;
  }

  private String run(long number) {
    return prefix + runName(number);
  }

  /// Returns the name of a run's file in an image.
  static String runName(long number) {
    return RUN + "%012d".formatted(number);
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

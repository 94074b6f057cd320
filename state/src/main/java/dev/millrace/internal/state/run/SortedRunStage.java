package dev.millrace.internal.state.run;

import dev.millrace.internal.state.local.ImageFileName;
import dev.millrace.spi.DiskStage;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Collects a manifest and runs as `TASK.stage-NAME`.
///
/// They are put in place by giving the runs their names, then, when these are durable, the manifest
/// its own. As long as the manifest is called `stage-manifest` and there is no other, whatever runs
/// there are count for nothing; so the last rename is the moment at which the disk is made.
final class SortedRunStage implements DiskStage {
  private static final int COPY_BYTES = 64 << 10;

  private final RunFiles files;
  private final String prefix;
  private final String stagePrefix;
  private final Runnable afterClose;
  private boolean closed;

  SortedRunStage(RunFiles files, String task, Runnable afterClose) {
    this.files = files;
    this.afterClose = afterClose;
    prefix = task + ".";
    stagePrefix = prefix + TaskFiles.STAGE;
  }

  @Override
  public SortedMap<String, Long> files() {
    SortedMap<String, Long> sizes = new TreeMap<>();
    for (String name : namesFrom(stagePrefix)) {
      try (RunFiles.Content content = files.open(name)) {
        sizes.put(name.substring(stagePrefix.length()), content.length());
      }
    }
    return Collections.unmodifiableSortedMap(sizes);
  }

  @Override
  public InputStream open(String name) {
    return new SortedRunImage.ContentStream(files.open(staged(name)));
  }

  @Override
  public void write(String name, InputStream content) throws IOException {
    String file = staged(name);
    if (files.list().contains(file)) {
      files.delete(file);
    }
    byte[] bytes = new byte[COPY_BYTES];
    try (RunFiles.Appender appender = files.create(file)) {
      for (int read = content.read(bytes); read >= 0; read = content.read(bytes)) {
        appender.append(bytes, 0, read);
      }
      appender.sync();
    }
  }

  @Override
  public void delete(String name) {
    files.delete(staged(name));
  }

  @Override
  public void publish() {
    Manifest manifest = checkedManifest();
    Set<String> runs = new LinkedHashSet<>();
    manifest.runs().forEach(run -> runs.add(TaskFiles.runName(run.number())));
    for (String name : files().keySet()) {
      if (!runs.contains(name) && !name.equals(TaskFiles.MANIFEST)) {
        delete(name);
      }
    }
    files.syncNames();
    deletePresent();
    runs.forEach(run -> files.rename(staged(run), prefix + run));
    files.syncNames();
    files.rename(staged(TaskFiles.MANIFEST), prefix + TaskFiles.MANIFEST);
    files.syncNames();
  }

  private Manifest checkedManifest() {
    SortedMap<String, Long> gathered = files();
    String described = files.describe(staged(TaskFiles.MANIFEST));
    Long length = gathered.get(TaskFiles.MANIFEST);
    if (length == null) {
      throw Manifest.corrupt(described, "is missing");
    }
    byte[] bytes = new byte[Math.toIntExact(length)];
    try (RunFiles.Content content = files.open(staged(TaskFiles.MANIFEST))) {
      content.read(0, bytes, 0, bytes.length);
    }
    Manifest manifest = Manifest.decode(bytes, described);
    if (manifest.position() == null) {
      throw Manifest.corrupt(described, "has no position");
    }
    for (Manifest.RunName run : manifest.runs()) {
      Long found = gathered.get(TaskFiles.runName(run.number()));
      if (found == null || found != run.lengthBytes()) {
        throw Manifest.corrupt(
            files.describe(staged(TaskFiles.runName(run.number()))),
            "has %s bytes instead of %d"
                .formatted(found == null ? "no" : found, run.lengthBytes()));
      }
    }
    return manifest;
  }

  /// Deletes the task's present disk, its manifest first.
  private void deletePresent() {
    Set<String> present = namesFrom(prefix);
    present.removeIf(name -> name.startsWith(stagePrefix));
    if (present.remove(prefix + TaskFiles.MANIFEST)) {
      files.delete(prefix + TaskFiles.MANIFEST);
      files.syncNames();
    }
    present.forEach(files::delete);
  }

  @Override
  public void discard() {
    namesFrom(stagePrefix).forEach(files::delete);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      afterClose.run();
    }
  }

  private Set<String> namesFrom(String start) {
    Set<String> names = new LinkedHashSet<>();
    for (String name : files.list()) {
      if (name.startsWith(start)) {
        names.add(name);
      }
    }
    return names;
  }

  private String staged(String name) {
    return stagePrefix + ImageFileName.check(name);
  }
}

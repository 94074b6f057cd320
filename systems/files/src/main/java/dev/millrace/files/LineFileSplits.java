package dev.millrace.files;

import dev.millrace.spi.ExternalSource;
import dev.millrace.spi.Log.Offsets;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The files of a directory as they are when it is opened: the splits of a source.
final class LineFileSplits implements ExternalSource.Connection {
  private final String stream;
  private final Path directory;
  private final boolean lastLineCounts;
  private final List<Path> files;

  /// @param lastLineCounts whether what follows the last line's end is a record
  LineFileSplits(String stream, Path directory, boolean lastLineCounts) {
    this.stream = stream;
    this.directory = directory;
    this.lastLineCounts = lastLineCounts;
    files = list();
    if (files.isEmpty()) {
      throw new LogException(
          Kind.MISSING,
          "Source '%s' reads the directory %s, which has no files. Put them there before the application starts."
              .formatted(stream, directory));
    }
  }

  private List<Path> list() {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(Files::isRegularFile).filter(LineFileSplits::isData).sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      throw new LogException(
          Kind.MISSING,
          "Source '%s' reads the directory %s, which does not exist. Create it with its files."
              .formatted(stream, directory),
          e);
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  private static boolean isData(Path file) {
    String name = String.valueOf(file.getFileName());
    return !name.startsWith(".") && !name.startsWith("_");
  }

  LogException failed(Path path, IOException cause) {
    return new LogException(
        Kind.UNAVAILABLE, "Source '%s' cannot read %s: %s".formatted(stream, path, cause), cause);
  }

  /// The file of a split.
  Path file(Split split) {
    if (split.partition() >= files.size()) {
      throw new LogException(
          Kind.MISSING,
          split,
          "Source '%s' has %d files in %s; there is no split %d."
              .formatted(stream, files.size(), directory, split.partition()),
          null);
    }
    return files.get(split.partition());
  }

  boolean lastLineCounts() {
    return lastLineCounts;
  }

  @Override
  public int splits() {
    return files.size();
  }

  @Override
  public Map<Split, Offsets> offsets(Collection<Split> splits) {
    Map<Split, Offsets> offsets = new LinkedHashMap<>();
    for (Split split : splits) {
      Path file = file(split);
      try {
        long size = Files.size(file);
        offsets.put(split, new Offsets(0, size, size));
      } catch (IOException e) {
        throw failed(file, e);
      }
    }
    return offsets;
  }

  @Override
  public Map<Split, Long> offsetsAt(Collection<Split> splits, Instant time) {
    Map<Split, Long> offsets = new LinkedHashMap<>();
    for (Split split : splits) {
      Path file = file(split);
      try {
        boolean older = Files.getLastModifiedTime(file).toInstant().isBefore(time);
        offsets.put(split, older ? Files.size(file) : 0);
      } catch (IOException e) {
        throw failed(file, e);
      }
    }
    return offsets;
  }

  @Override
  public SplitReader reader(String clientId) {
    return new LineFileReader(this);
  }

  /// Readers hold the files.
  @Override
  public void close() {}
}

package dev.millrace.examples.guide;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.files.LineFiles;
import java.nio.file.Path;
import java.util.List;

/// Counts the words of files, and writes the counts to files.
final class CountFiles implements StreamApplication {
  private final Path in;
  private final Path out;

  CountFiles(Path in, Path out) {
    this.in = in;
    this.out = out;
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(LineFiles.source("lines", in).value(Serdes.string()).asBounded())
        .flatMap(line -> List.of(line.split(" ")))
        .groupBy("by-word", word -> word)
        .count("counts")
        .toStream()
        .records()
        .map(record -> record.key() + " " + record.value())
        .as(Serdes.string())
        .to(LineFiles.sink("counted", out).value(Serdes.string()));
  }
}

package dev.millrace.benchmarks.beam.python;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A file of words, ten in a line, and how often each of them is there.
///
/// @param counts a line for each word that is there, sorted, as the program writes them
record Text(Path file, List<String> counts) {
  private static final int VOCABULARY = 10_000;
  private static final int WORDS_IN_LINE = 10;

  /// Writes one.
  ///
  /// @param words how many; rounded up to whole lines
  static Text write(Path file, long words) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long[] counted = new long[VOCABULARY];
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (long written = 0; written < words; written += WORDS_IN_LINE) {
        for (int i = 0; i < WORDS_IN_LINE; i++) {
          int word = random.nextInt(VOCABULARY);
          counted[word]++;
          out.append("word").append(Integer.toString(word)).append(' ');
        }
        out.newLine();
      }
    }
    List<String> counts = new ArrayList<>();
    for (int word = 0; word < VOCABULARY; word++) {
      if (counted[word] > 0) {
        counts.add("word%d %d".formatted(word, counted[word]));
      }
    }
    return new Text(file, counts.stream().sorted().toList());
  }

  /// Returns whether a file says what is counted.
  boolean isCountedBy(Path result) throws IOException {
    return Files.exists(result)
        && Files.readAllLines(result).stream().sorted().toList().equals(counts);
  }
}

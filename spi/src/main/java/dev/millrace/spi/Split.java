package dev.millrace.spi;

/// One part of a stream that is read in order: a partition of a topic, or one file.
///
/// @param stream the topic, or the name of another source
/// @param partition from 0
public record Split(String stream, int partition) implements Comparable<Split> {
  @Override
  public int compareTo(Split other) {
    int byStream = stream.compareTo(other.stream);
    return byStream != 0 ? byStream : Integer.compare(partition, other.partition);
  }

  @Override
  public String toString() {
    return stream + "-" + partition;
  }
}

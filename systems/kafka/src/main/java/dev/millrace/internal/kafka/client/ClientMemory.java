package dev.millrace.internal.kafka.client;

/// Memory limits of Kafka's clients, unless their properties set others. Sizes are in bytes.
///
/// @param answerBytes the largest answer to a fetch, for each reader. That size may be used by data
///   that the client keeps, by an answer that is arriving, by batches that were read ahead, and
///   outside the heap by the buffer of the socket
/// @param sendBytes the largest size of records that are not acknowledged yet, for each writer
/// @param recordBytes the largest record that is written and read again
public record ClientMemory(long answerBytes, long sendBytes, int recordBytes) {
  /// How often the heap may hold [#answerBytes] a reader.
  public static final int ANSWERS_HELD = 3;

  private static final int LEAST_ANSWER = 256 << 10;
  private static final int MOST_ANSWER = 16 << 20;

  /// Good data packs to a tenth, seldom to less; topics take batches of 1 MB unless told otherwise.
  private static final int LEAST_UNPACKED = 16 << 20;

  private static final int MOST_UNPACKED = 512 << 20;
  private static final int UNPACKED_OF_ANSWER = 4;
  private static final long LEAST_SEND = 2 << 20;
  private static final int MOST_REQUEST = 8 << 20;

  private static final int USUAL_RECORD = 1 << 20;

  /// What is around a record in a request.
  private static final int AROUND = 64 << 10;

  public ClientMemory {
    answerBytes = Math.clamp(answerBytes, LEAST_ANSWER, MOST_ANSWER);
    sendBytes = Math.max(sendBytes, Math.max(LEAST_SEND, recordBytes + (long) AROUND));
  }

  /// Creates limits for records of up to 1 MB.
  public ClientMemory(long answerBytes, long sendBytes) {
    this(answerBytes, sendBytes, USUAL_RECORD);
  }

  /// Returns limits for records of this size, if it is larger than the present one.
  public ClientMemory withRecords(int bytes) {
    return new ClientMemory(answerBytes, sendBytes, Math.max(bytes, recordBytes));
  }

  /// Returns the defaults: answers of 16 MB, and 64 MB to send.
  public static ClientMemory defaults() {
    return new ClientMemory(MOST_ANSWER, 64L << 20);
  }

  /// Returns the largest size of a partition's records in an answer: so large that the cost of
  /// requests is small. With a quarter of it, a broker needs more than one and a half times the
  /// processor time.
  public int partitionBytes() {
    return (int) (answerBytes / 4);
  }

  /// Returns the largest decompressed size of a batch: four answers, which is about the size of
  /// data that waits and arrives.
  ///
  /// @param answerBytes the largest answer to a fetch
  public int unpackedBytes(long answerBytes) {
    int least = Math.max(LEAST_UNPACKED, recordBytes + AROUND);
    return Math.clamp(UNPACKED_OF_ANSWER * answerBytes, least, MOST_UNPACKED);
  }

  /// Returns the largest request of a writer.
  public int requestBytes() {
    int least = recordBytes + AROUND;
    return Math.clamp(sendBytes / 4, least, Math.max(least, MOST_REQUEST));
  }
}

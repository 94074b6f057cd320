package dev.millrace.internal.kafka.client;

/// What Kafka's clients may use, unless properties of theirs say otherwise. Sizes are in bytes.
///
/// @param answerBytes of each reader, the largest answer to a fetch. Of that size there may be what
///   the client keeps, what is arriving, what was read ahead in batches, and outside the heap the
///   buffer of the socket
/// @param sendBytes of each writer, for what was handed over and is not acknowledged yet
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

  /// For records of 1 MB.
  public ClientMemory(long answerBytes, long sendBytes) {
    this(answerBytes, sendBytes, USUAL_RECORD);
  }

  /// For larger records, if these are larger.
  public ClientMemory withRecords(int bytes) {
    return new ClientMemory(answerBytes, sendBytes, Math.max(bytes, recordBytes));
  }

  /// Answers of 16 MB, and 64 MB to send.
  public static ClientMemory defaults() {
    return new ClientMemory(MOST_ANSWER, 64L << 20);
  }

  /// What an answer holds of a partition: so much that requests hardly count. With a fourth of it a
  /// broker needs more than one and a half times the processor time.
  public int partitionBytes() {
    return (int) (answerBytes / 4);
  }

  /// What a batch may unpack to: four answers, as what is waiting and arriving is about that.
  ///
  /// @param answerBytes the largest answer to a fetch
  public int unpackedBytes(long answerBytes) {
    int least = Math.max(LEAST_UNPACKED, recordBytes + AROUND);
    return Math.clamp(UNPACKED_OF_ANSWER * answerBytes, least, MOST_UNPACKED);
  }

  /// The largest request of a writer.
  public int requestBytes() {
    int least = recordBytes + AROUND;
    return Math.clamp(sendBytes / 4, least, Math.max(least, MOST_REQUEST));
  }
}

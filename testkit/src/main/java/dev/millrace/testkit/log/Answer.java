package dev.millrace.testkit.log;

/// What the broker answers to a request of a writer.
///
/// @param offset of the first record, after a successful append
/// @param message what went wrong, if something did
record Answer(Code code, long offset, String message) {
  /// What the client does next.
  enum Code {
    OK,
    /// The same again a little later: the markers of the last transaction are not all written.
    RETRY,
    /// Another writer took over, or the transaction timed out.
    FENCED,
    /// The transaction has to be aborted.
    FAILED
  }

  static final Answer DONE = new Answer(Code.OK, -1, "");
  static final Answer RETRY = new Answer(Code.RETRY, -1, "");

  static Answer appendedAt(long offset) {
    return new Answer(Code.OK, offset, "");
  }

  static Answer fenced(String message) {
    return new Answer(Code.FENCED, -1, message);
  }

  static Answer failed(String message) {
    return new Answer(Code.FAILED, -1, message);
  }
}

package dev.millrace.api;

/// A question that has no answer; the message says why.
public final class QueryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QueryException(String message) {
    super(message);
  }
}

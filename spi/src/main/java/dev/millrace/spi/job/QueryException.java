package dev.millrace.spi.job;

/// Thrown when a query of a store has no answer; the message says why.
public final class QueryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QueryException(String message) {
    super(message);
  }
}

package dev.millrace.testkit.disk;

/// The process that used a model disk or blob store is dead: thrown by the operation at which it
/// died and by every one after it. Only the test that ordered the crash catches it.
public final class ModelCrash extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ModelCrash(String message) {
    super(message);
  }
}

package dev.millrace.house.planted.concerns;

/// Names the components of a record of settings, which only the record itself may.
public final class MakesAConfig {
  private MakesAConfig() {}

  /// Returns one.
  public static OneConfig make() {
    return new OneConfig(2);
  }
}

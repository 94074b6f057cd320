package dev.millrace.spi.settings;

/// Which change of the program may be run over the state that there is.
///
/// @param accept the id of a change, as a refused start and `millrace plan --diff` name it; [#AUTO]
///   for each by which state keeps its meaning; empty for none
public record ChangeConfig(String accept) {

  /// Accepts each change by which state keeps its meaning.
  public static final String AUTO = "auto";

  /// Returns the defaults: no change is accepted.
  public static ChangeConfig defaults() {
    return new ChangeConfig("");
  }

  /// Returns a copy that accepts the change with this id, or [#AUTO]; none by default.
  public ChangeConfig withAccept(String id) {
    return new ChangeConfig(id);
  }
}

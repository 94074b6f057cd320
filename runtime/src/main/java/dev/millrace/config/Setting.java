package dev.millrace.config;

import org.jspecify.annotations.Nullable;

/// One thing that can be configured.
///
/// @param key such as `commit.interval`
/// @param flag a short name for the command line, such as `--skip`; empty if there is only
///   `--<key>`
/// @param byDefault null if nothing is set then
/// @param about for people, one line
record Setting<T>(String key, String flag, Form<T> form, @Nullable T byDefault, String about) {

  /// Whether the flag alone means something.
  boolean isSwitch() {
    return byDefault instanceof Boolean;
  }

  /// The default as text; empty if there is none.
  String defaultText() {
    return byDefault == null ? "" : form.writer().apply(byDefault);
  }
}

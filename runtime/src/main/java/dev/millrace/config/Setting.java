package dev.millrace.config;

import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One thing that can be configured.
///
/// @param key such as `commit.interval`
/// @param flag a short name for the command line, such as `--skip`; empty if there is only
///   `--<key>`
/// @param form of its values
/// @param about for people, one line
/// @param value reads it from a configuration; null if nothing is set
/// @param with returns a configuration with another value
record Setting<T>(
    String key,
    String flag,
    Form<T> form,
    String about,
    Function<JobConfig, @Nullable T> value,
    BiFunction<JobConfig, T, JobConfig> with) {

  /// The part of a configuration that a setting belongs to.
  ///
  /// @param value reads it from a configuration
  /// @param with returns a configuration with another one
  record Part<C>(Function<JobConfig, C> value, BiFunction<JobConfig, C, JobConfig> with) {

    /// Defines a setting of this part that has no short flag.
    <T> Setting<T> setting(
        String key,
        Form<T> form,
        Function<C, @Nullable T> read,
        BiFunction<C, T, C> change,
        String about) {
      return setting(key, "", form, read, change, about);
    }

    /// Defines a setting of this part.
    ///
    /// @param read reads it from the part; null if nothing is set
    /// @param change returns a part with another value
    <T> Setting<T> setting(
        String key,
        String flag,
        Form<T> form,
        Function<C, @Nullable T> read,
        BiFunction<C, T, C> change,
        String about) {
      return new Setting<>(
          key,
          flag,
          form,
          about,
          job -> read.apply(value.apply(job)),
          (job, changed) -> with.apply(job, change.apply(value.apply(job), changed)));
    }
  }

  /// Returns the default; null if nothing is set then.
  @Nullable T byDefault() {
    return value.apply(JobConfig.defaults());
  }

  /// Whether the flag alone means something.
  boolean isSwitch() {
    return byDefault() instanceof Boolean;
  }

  /// Whether the flag may be given several times, for one value each.
  boolean isList() {
    return byDefault() instanceof Set;
  }

  /// Returns the default as text; empty if there is none.
  String defaultText() {
    T value = byDefault();
    return value == null ? "" : form.writer().apply(value);
  }
}

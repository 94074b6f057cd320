package dev.millrace.config;

import dev.millrace.spi.settings.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads settings from a command line: `--a.b=value`, `--a.b value`, and short names for some.
final class Flags {
  private static final String CONFIG = "--config";
  private static final String KAFKA = "--" + Settings.CLIENTS;

  private final List<Given> found = new ArrayList<>();
  private @Nullable String file;

  private Flags() {}

  /// Returns what a command line gives.
  ///
  /// @throws ConfigException if something is no flag, or a flag lacks its value
  static Flags read(List<String> arguments) {
    Flags flags = new Flags();
    int next = 0;
    while (next < arguments.size()) {
      next = flags.readOne(arguments, next);
    }
    return flags;
  }

  /// Returns the values, in their order.
  List<Given> found() {
    return found;
  }

  /// Returns the file that `--config` names; null without that flag.
  @Nullable String file() {
    return file;
  }

  /// Reads one flag, and returns the index of the argument after it.
  private int readOne(List<String> arguments, int at) {
    String argument = arguments.get(at);
    if (!argument.startsWith("--") || argument.length() == 2) {
      throw new ConfigException(
          "'%s' is no setting; settings look like --commit.interval=100ms.".formatted(argument));
    }
    int equals = argument.indexOf('=');
    if (equals >= 0) {
      add(argument.substring(0, equals), argument.substring(equals + 1));
      return at + 1;
    }
    String next = at + 1 < arguments.size() ? arguments.get(at + 1) : "--";
    Optional<Setting<?>> setting = setting(argument);
    boolean isSwitch = setting.isPresent() && setting.get().isSwitch();
    if (isSwitch && Forms.SWITCH.reader().apply(next) == null) {
      add(argument, "true");
      return at + 1;
    }
    if (next.startsWith("--")) {
      if (setting.isEmpty() && !argument.equals(CONFIG) && !argument.startsWith(KAFKA)) {
        // There is no such setting, and the loader says which may be meant.
        add(argument, "");
        return at + 1;
      }
      if (!argument.equals(Settings.EMBEDDED_FLAG)) {
        throw new ConfigException(
            "%s needs a value: %s=VALUE%s."
                .formatted(
                    argument,
                    argument,
                    setting.map(each -> ", " + each.form().expected()).orElse("")));
      }
      add(argument, EmbeddedConfig.DIRECTORY.toString());
      return at + 1;
    }
    add(argument, next);
    return at + 2;
  }

  private void add(String flag, String value) {
    if (flag.equals(CONFIG)) {
      file = value;
      return;
    }
    String key = setting(flag).map(Setting::key).orElse(flag.substring(2));
    found.add(new Given(key, flag, value, "flag " + flag));
  }

  private static Optional<Setting<?>> setting(String flag) {
    return Settings.ALL.stream()
        .filter(each -> each.flag().equals(flag) || flag.equals("--" + each.key()))
        .findFirst();
  }
}

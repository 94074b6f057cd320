package dev.millrace.config;

import java.util.List;
import java.util.Locale;

/// Which settings are not to be shown.
final class Secrets {
  static final String MASK = "********";

  private static final List<String> MARKS =
      List.of("password", "secret", "token", "jaas", "credential", "user.info", "private.key");

  private Secrets() {}

  static boolean isSecret(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    // A location of a secret, such as ssl.keystore.location, is none; ssl.keystore.key is one.
    return lower.endsWith(".key") || MARKS.stream().anyMatch(lower::contains);
  }
}

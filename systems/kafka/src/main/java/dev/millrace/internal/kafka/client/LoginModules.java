package dev.millrace.internal.kafka.client;

import java.io.IOException;
import java.io.StreamTokenizer;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the classes that a value of `sasl.jaas.config` names, where Kafka's clients find them: the
/// tokens, quotes and comments are those of their `JaasConfig`.
final class LoginModules {
  private static final Set<String> FLAGS =
      Set.of("REQUIRED", "REQUISITE", "SUFFICIENT", "OPTIONAL");

  /// A variable of which nothing could be a token of its own, should Kafka leave it as it stands:
  /// that is what becomes of one whose provider or key there is not.
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{[^}:\\s\"'=;{\\\\]+:[^}\\s\"'=;{\\\\]+}");

  /// What stands for a variable's value; a word for the tokenizer and no name of a class.
  private static final String PROVIDED = "\\$PROVIDED";

  private final StreamTokenizer tokens;

  private LoginModules(String text) {
    tokens = new StreamTokenizer(new StringReader(text));
    tokens.slashSlashComments(true);
    tokens.slashStarComments(true);
    tokens.wordChars('-', '-');
    tokens.wordChars('_', '_');
    tokens.wordChars('$', '$');
  }

  /// Returns the modules in their order; nothing for a text that Kafka's clients do not take
  /// either.
  static Optional<List<String>> in(String text) {
    try {
      return Optional.ofNullable(new LoginModules(text).modules());
    } catch (IOException e) {
      throw new UncheckedIOException("A text in memory cannot be read.", e);
    }
  }

  /// Returns the modules of a text with variables, whose values come from a provider. No modules
  /// for a text that comes from there as a whole, nothing for variables that hide what stands in
  /// the text.
  static Optional<List<String>> inTemplate(String text) {
    String literal = VARIABLE.matcher(text).replaceAll(PROVIDED);
    if (literal.contains("${")) {
      return Optional.empty();
    }
    return VARIABLE.matcher(text.strip()).matches() ? Optional.of(List.of()) : in(literal);
  }

  private @Nullable List<String> modules() throws IOException {
    List<String> found = new ArrayList<>();
    while (tokens.nextToken() != StreamTokenizer.TT_EOF) {
      String module = tokens.sval;
      if (module == null || !flag() || !options()) {
        return null;
      }
      found.add(module);
    }
    return found.isEmpty() ? null : found;
  }

  private boolean flag() throws IOException {
    tokens.nextToken();
    return tokens.sval != null && FLAGS.contains(tokens.sval.toUpperCase(Locale.ROOT));
  }

  /// Passes over `name=value` up to the semicolon.
  private boolean options() throws IOException {
    while (tokens.nextToken() != ';') {
      boolean ended = tokens.ttype == StreamTokenizer.TT_EOF;
      if (ended || tokens.nextToken() != '=') {
        return false;
      }
      tokens.nextToken();
      if (tokens.sval == null) {
        return false;
      }
    }
    return true;
  }
}

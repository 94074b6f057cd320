package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Shows dead letters.
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows dead letters, oldest first: origin, cause, key, value and headers.")
final class DeadLettersShowCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final LetterOptions chosen = new LetterOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "The largest number to show; default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(
      names = "--as",
      paramLabel = "FORM",
      defaultValue = "auto",
      description =
          "Show keys, values and headers as ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  private ShownBytes form = ShownBytes.AUTO;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    return cluster.useAddress((servers, job) -> {
      String topic = chosen.topic(servers, job);
      try (Letters letters = new Letters(servers, job.kafka().properties(), topic)) {
        show(topic, letters);
      } catch (KafkaException e) {
        throw TopicTables.failed(servers, e);
      }
      return ExitCode.DONE;
    });
  }

  private void show(String topic, Letters letters) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    int[] shown = {0};
    boolean[] more = {false};
    letters.each((letter, resent) -> {
      if (chosen.choose(letter)) {
        more[0] = shown[0] == limit;
        if (!more[0]) {
          show(letter, resent, out);
          shown[0]++;
        }
      }
      return !more[0];
    });
    if (more[0]) {
      out.println("There are more. Raise --limit to see them.");
    } else if (shown[0] == 0) {
      out.println("There are no such dead letters in " + topic + ".");
    }
    out.flush();
  }

  private void show(Letter letter, boolean resent, PrintWriter out) {
    out.println(
        "%d  %s  %s%s"
            .formatted(letter.offset(), letter.time(), letter.place(), resent ? "  (resent)" : ""));
    out.println("  operator: " + letter.operator());
    out.println("  cause:    " + letter.cause());
    if (letter.leftOut().isEmpty()) {
      out.println("  key:      " + form.of(letter.record().key()));
      out.println("  value:    " + form.of(letter.record().value()));
    } else {
      out.println("  value:    " + letter.leftOut());
    }
    if (letter.isRecord()) {
      for (Header header : letter.headers()) {
        out.println("  header:   " + header.key() + " = " + form.of(header.value()));
      }
    }
  }
}

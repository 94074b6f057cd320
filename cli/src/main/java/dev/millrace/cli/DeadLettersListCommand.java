package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Counts dead letters.
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = {
      "Counts dead letters by operator, cause and topic.",
      "",
      "The times in the table are the times of failure.",
    })
final class DeadLettersListCommand implements Callable<Integer> {
  private static final int SHOWN = 60;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final LetterOptions chosen = new LetterOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private record Group(String operator, String cause, String from) {
    static Group of(Letter letter) {
      return new Group(
          letter.operator(), firstOf(letter.cause()), letter.isRecord() ? letter.topic() : "-");
    }

    /// Returns the first line, shortened: numbers and keys in causes would tell all of them apart.
    private static String firstOf(String cause) {
      String line = cause.lines().findFirst().orElse("");
      return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }
  }

  private static final class Count {
    private long letters;
    private long resent;
    private Instant first = Instant.MAX;
    private Instant last = Instant.MIN;

    void add(Letter letter, boolean wasResent) {
      letters++;
      resent += wasResent ? 1 : 0;
      first = letter.time().isBefore(first) ? letter.time() : first;
      last = letter.time().isAfter(last) ? letter.time() : last;
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    return cluster.useAddress((servers, job) -> {
      String topic = chosen.topic(servers, job);
      try (Letters letters = new Letters(servers, job.kafka().properties(), topic)) {
        list(topic, letters);
      } catch (KafkaException e) {
        throw TopicTables.failed(servers, e);
      }
      return ExitCode.DONE;
    });
  }

  private void list(String topic, Letters letters) throws InterruptedException {
    Map<Group, Count> counts =
        new TreeMap<>(
            Comparator.comparing(Group::operator)
                .thenComparing(Group::cause)
                .thenComparing(Group::from));
    letters.each((letter, resent) -> {
      if (chosen.choose(letter)) {
        counts.computeIfAbsent(Group.of(letter), _ -> new Count()).add(letter, resent);
      }
      return true;
    });
    PrintWriter out = spec.commandLine().getOut();
    if (counts.isEmpty()) {
      out.println("There are no such dead letters in " + topic + ".");
    } else {
      TextTable table =
          new TextTable("operator", "cause", "from", "letters", "resent", "first", "last");
      counts.forEach((group, count) ->
          table.add(
              group.operator,
              group.cause,
              group.from,
              grouped(count.letters),
              grouped(count.resent),
              count.first.toString(),
              count.last.toString()));
      table.print(out);
      if (counts.keySet().stream().anyMatch(group -> group.from.equals("-"))) {
        out.println(
            "Letters from '-' are results or waiting rows, which have no record to resend.");
      }
    }
    out.flush();
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}

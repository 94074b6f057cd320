package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.config.JobConfig;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Sends dead letters in again.
@Command(
    name = "resend",
    mixinStandardHelpOptions = true,
    description = {
      "Resends records that could not be processed to the topics they came from. Run it after the"
          + " application was corrected. Each record has the same partition, key, value, headers"
          + " and timestamp as before, and a header millrace.resent with the number of times it was"
          + " resent.",
      "",
      "Each letter is sent once, however often the command is run and wherever it is interrupted."
          + " Results and waiting rows, which have no record, and records that were too large for a"
          + " letter are listed and not sent.",
    })
final class DeadLettersResendCommand implements Callable<Integer> {
  private static final int LISTED = 20;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final LetterOptions chosen = new LetterOptions();

  @Option(names = "--limit", paramLabel = "N", description = "Send at most the N oldest letters.")
  private int limit = Integer.MAX_VALUE;

  @Option(names = "--dry-run", description = "Print what would be sent, and send nothing.")
  private boolean dryRun;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  /// The letters that are to be sent, and those that cannot be.
  private static final class Choice {
    private final Map<String, Integer> byTopic = new TreeMap<>();
    private final Map<String, Integer> partitions = new TreeMap<>();
    private final List<Letter> refused = new ArrayList<>();
    private int count;
    private int refusedCount;
    private int done;

    /// The records of which a letter was sent before, and those of which one is to be.
    private final Set<String> sent = new HashSet<>();

    private final Set<String> toSend = new HashSet<>();
  }

  @Override
  public Integer call() throws InterruptedException {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit must be at least 1.");
    }
    return cluster.useAddress((servers, job) -> {
      String topic = chosen.topic(servers, job);
      try {
        return resend(servers, job, topic);
      } catch (KafkaException e) {
        throw TopicTables.failed(servers, e);
      }
    });
  }

  private int resend(String servers, JobConfig job, String topic) throws InterruptedException {
    Map<String, String> properties = job.kafka().properties();
    PrintWriter out = spec.commandLine().getOut();
    // Before the letters are read: what another one sends is decided then.
    try (@Nullable Resending resending = dryRun ? null : new Resending(servers, properties, topic);
        Letters letters = new Letters(servers, properties, topic)) {
      Choice choice = choose(letters);
      requirePlaces(letters, choice);
      if (resending != null) {
        send(letters, resending, choice, out);
      }
      report(topic, choice, out);
      return choice.count == 0 && choice.refusedCount > 0 ? ExitCode.FAILED : ExitCode.DONE;
    } finally {
      out.flush();
    }
  }

  private Choice choose(Letters letters) throws InterruptedException {
    Choice choice = new Choice();
    letters.each((letter, resent) -> {
      if (resent) {
        choice.sent.add(letter.origin());
      }
      return true;
    });
    letters.each((letter, resent) -> {
      if (!chosen.choose(letter)) {
        return true;
      }
      if (!letter.canBeSent()) {
        choice.refusedCount++;
        if (choice.refused.size() < LISTED) {
          choice.refused.add(letter);
        }
      } else if (choice.sent.contains(letter.origin())) {
        choice.done++;
      } else if (choice.count < limit && choice.toSend.add(letter.origin())) {
        choice.count++;
        choice.byTopic.merge(letter.topic(), 1, Integer::sum);
        choice.partitions.merge(letter.topic(), letter.partition() + 1, Math::max);
      }
      return true;
    });
    return choice;
  }

  private static void requirePlaces(Letters letters, Choice choice) {
    Map<String, Integer> existing = letters.partitions(choice.byTopic.keySet());
    choice.partitions.forEach((topic, needed) -> {
      int found = existing.getOrDefault(topic, 0);
      if (found < needed) {
        throw new UserException(
            ExitCode.FAILED,
            "Some letters come from partition %d of topic '%s', which now %s. Nothing was sent. Use --from-topic to resend only letters of other topics."
                .formatted(
                    needed - 1,
                    topic,
                    found == 0 ? "does not exist" : "has %d partitions".formatted(found)));
      }
    });
  }

  private void send(Letters letters, Resending resending, Choice choice, PrintWriter out)
      throws InterruptedException {
    ProgressLine progress = new ProgressLine(out, ProgressLine.onTerminal());
    letters.each((letter, resent) -> {
      if (resent || !letter.canBeSent() || !chosen.choose(letter)) {
        return true;
      }
      // Each record once: several stages may have written letters of it.
      if (choice.toSend.remove(letter.origin())) {
        choice.sent.add(letter.origin());
        resending.add(letter);
        progress.show("Resent %,d of %,d letters".formatted(resending.sent(), choice.count));
      } else if (choice.sent.contains(letter.origin())) {
        resending.addNote(letter);
      }
      return true;
    });
    resending.send();
    if (choice.count > 0) {
      progress.end("Resent %,d of %,d letters".formatted(resending.sent(), choice.count));
    }
  }

  private void report(String topic, Choice choice, PrintWriter out) {
    choice.byTopic.forEach((to, count) -> {
      out.println("%s %,d records to %s.".formatted(dryRun ? "Would send" : "Sent", count, to));
      if (to.endsWith("-exchange")) {
        out.println(
            "  That is an exchange topic of the application: it reads these records only while it"
                + " runs with exchanges by topic.");
      }
    });
    if (choice.count == 0) {
      out.println("There are no such dead letters to resend in " + topic + ".");
    }
    if (choice.done > 0) {
      out.println("%,d were resent earlier.".formatted(choice.done));
    }
    if (choice.refusedCount > 0) {
      out.println(
          "%,d cannot be sent. They are results or waiting rows, whose input records have been processed, or records too large for a letter, which are still in their topics. 'millrace dead-letters show' shows them."
              .formatted(choice.refusedCount));
      choice.refused.forEach(letter ->
          out.println("  %d  %s  %s".formatted(letter.offset(), letter.time(), letter.place())));
      if (choice.refusedCount > choice.refused.size()) {
        out.println("  and %,d more".formatted(choice.refusedCount - choice.refused.size()));
      }
    }
  }
}

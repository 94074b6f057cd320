package dev.millrace.testkit.commit;

import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.GroupSettings;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.commit.Protocol.State;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A commit group whose members are played by a script: each command of it is answered by what the
/// group did next.
///
/// A line `> COMMAND` is a command; the lines below it, up to an empty one, are the answer; all
/// others are for readers. The commands:
///
/// | command | meaning |
/// |---|---|
/// | `members NAME ...` | the group begins, with these members |
/// | `NAME restored` | a member has replayed its changelog |
/// | `NAME part RECORDS POSITION` | a member hands over its part of a commit: so many changes, and how far it has read |
/// | `NAME published` | a member has taken over what was committed |
/// | `NAME has changed` | a member has something to commit |
/// | `NAME wants a commit` | a member asks for a commit before the interval is over |
/// | `NAME ended` | all input of a member has ended |
/// | `NAME failed KIND` | a task of a member has failed |
/// | `stop` | the job is asked to stop |
/// | `time MILLIS` | time passes |
/// | `a stranger writes` | another process writes to the changelog |
/// | `a successor opens` | another process opens a writer of the same transactional id |
final class GroupScript {
  private static final Split CHANGELOG = new Split("changelog", 0);
  private static final Split CLAIMS = new Split("claims", 0);
  private static final Split INPUT = new Split("input", 0);
  private static final String ID = "app-0";

  /// How many milliseconds nothing may happen while it claims its tasks.
  private static final int CLAIMING = 20;

  private final ModelLog log = ModelLog.of(1, ModelSettings.defaults().withMarkers(Delay.NONE));
  private final Map<String, Mailbox> members = new LinkedHashMap<>();
  private final CommitGroup group;
  private @Nullable State told;
  private @Nullable Failure failure;

  GroupScript() {
    log.createTopic(CHANGELOG.stream(), 1);
    log.createTopic(CLAIMS.stream(), 1);
    log.createTopic(INPUT.stream(), 1);
    GroupSettings settings =
        new GroupSettings(
            "app",
            ID,
            "app-",
            CLAIMS,
            CHANGELOG.stream(),
            List.of(0),
            0,
            _ -> false,
            null,
            _ -> false,
            CommitConfig.defaults().withLatencyTarget(Duration.ofMillis(10)));
    group = new CommitGroup(settings, log.client("container"), log.clock());
  }

  /// Returns the script with the answers that the group gives.
  static String played(String script) {
    GroupScript played = new GroupScript();
    StringBuilder out = new StringBuilder();
    boolean answer = false;
    for (String line : script.lines().toList()) {
      if (line.startsWith("> ")) {
        out.append(line).append('\n').append(played.command(line.substring(2)));
        answer = true;
      } else if (line.isEmpty()) {
        out.append('\n');
        answer = false;
      } else if (!answer) {
        out.append(line).append('\n');
      }
    }
    return out.toString();
  }

  private String command(String command) {
    List<String> words = List.of(command.split(" "));
    switch (words.getFirst()) {
      case "members" ->
          words.subList(1, words.size()).forEach(name -> members.put(name, group.join()));
      case "stop" -> group.requestStop();
      case "time" -> pass(Integer.parseInt(words.get(1)));
      case "a" -> other(command);
      default -> tell(words);
    }
    settle();
    return answer();
  }

  private void pass(int millis) {
    for (int i = 0; i < millis; i++) {
      log.advance(Duration.ofMillis(1));
      settle();
    }
  }

  private void other(String command) {
    switch (command) {
      case "a stranger writes" -> log.append(CHANGELOG.stream(), 0, "key", "value", 0);
      case "a successor opens" -> {
        TransactionalWriter writer = log.client("successor").writer(ID, Duration.ofMinutes(1));
        writer.open();
        while (writer.outcome() == TransactionalWriter.Outcome.PENDING) {
          log.advance();
        }
      }
      default -> throw new IllegalArgumentException(command);
    }
  }

  private void tell(List<String> words) {
    Mailbox member = members.get(words.getFirst());
    if (member == null) {
      throw new IllegalArgumentException("Nobody is named " + words.getFirst());
    }
    member.tell(
        switch (words.get(1)) {
          case "restored" -> new Report.Restored(Set.of());
          case "part" -> part(Integer.parseInt(words.get(2)), Long.parseLong(words.get(3)));
          case "published" -> new Report.Published();
          case "has" -> new Report.Changed();
          case "wants" -> new Report.CommitWanted(CommitCause.PROGRESS);
          case "ended" -> new Report.Ended();
          case "failed" ->
              new Report.Failed(
                  new Failure(Failure.Kind.valueOf(words.get(2)), "a task failed", null));
          default -> throw new IllegalArgumentException(words.toString());
        });
  }

  private static Report part(int records, long position) {
    if (records == 0) {
      return new Report.Part(List.of(), Map.of());
    }
    RecordBatch batch = new BatchPool().take(CHANGELOG, new byte[0], 0);
    for (int i = 0; i < records; i++) {
      batch.append(0, 0);
    }
    return new Report.Part(List.of(batch), Map.of(INPUT, Position.of(position)));
  }

  private void settle() {
    for (int idle = 0; idle < (group.state() == State.FENCING ? CLAIMING : 1); idle++) {
      while (group.step()) {
        log.advance();
        idle = 0;
      }
      if (group.state() == State.FENCING) {
        log.advance(Duration.ofMillis(1));
      }
    }
  }

  private String answer() {
    StringBuilder out = new StringBuilder();
    if (group.state() != told) {
      told = group.state();
      out.append(told).append('\n');
    }
    members.forEach((name, member) -> {
      for (Order order = member.nextOrder(); order != null; order = member.nextOrder()) {
        out.append(name).append(": ").append(inWords(order)).append('\n');
      }
    });
    Failure now = group.failure();
    if (now != null && failure == null) {
      failure = now;
      out.append("failed, ").append(now.kind()).append(": ").append(now.message()).append('\n');
    }
    return out.isEmpty() ? "nothing\n" : out.toString();
  }

  private static String inWords(Order order) {
    return switch (order) {
      case Order.Restore restore -> "restore " + ends(restore.ends());
      case Order.Begin _ -> "begin";
      case Order.Collect collect -> collect.last() ? "collect for the last commit" : "collect";
      case Order.Publish publish -> "publish " + ends(publish.ends());
      case Order.Adopt adopt -> "adopt " + adopt.task();
      case Order.Drop drop -> "drop " + drop.task();
      case Order.SplitOff split -> "split " + split.part() + " off " + split.task();
      case Order.RollBack _ -> "roll back";
      case Order.Close close -> close.orderly() ? "close" : "close at once";
    };
  }

  private static String ends(Map<Split, Long> ends) {
    Map<String, Long> named = new TreeMap<>();
    ends.forEach((split, end) -> named.put(split.stream(), end));
    StringBuilder out = new StringBuilder();
    named.forEach((topic, end) -> out.append("up to ").append(end).append(" of ").append(topic));
    return out.isEmpty() ? "nothing" : out.toString();
  }
}

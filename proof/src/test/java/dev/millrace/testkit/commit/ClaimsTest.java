package dev.millrace.testkit.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.Claim;
import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.GroupSettings;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.commit.Protocol.State;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.internal.engine.commit.Succession;
import dev.millrace.spi.LogException;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.Faults;
import dev.millrace.testkit.log.ModelLog;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Processes that write for the same tasks come, stand still and die at random. A commit of a task
/// is a number, one more than the last that its writer has read: so the changelog counts, unless
/// somebody has written without having read all.
class ClaimsTest {
  private static final int TASKS = 3;
  private static final String CHANGELOG = "changelog";
  private static final Split CLAIMS = new Split("claims", 0);

  /// Commits are asked for.
  private static final Duration NEVER = Duration.ofHours(1);

  private static final List<String> IDS = List.of("app.a", "app.b", "app.c");

  private final List<Member> members = new ArrayList<>();
  private ModelLog log = ModelLog.of(0);
  private int started;

  /// Whether tasks may come and go.
  private boolean movesTasks;

  /// No task does.
  private static final class NoSuccessor implements Succession.Successor {
    @Override
    public void succeed(Succession succession) {
      throw new AssertionError(succession);
    }

    @Override
    public void drop(Claim claim) {
      throw new AssertionError(claim);
    }

    @Override
    public void opened(String transactionalId) {}
  }

  private static Split changelog(int task) {
    return new Split(CHANGELOG, task);
  }

  /// What a commit writes for a task.
  private record Written(long number, WriterId writer) {
    static Written read(ModelRecord record) {
      String[] words = Objects.requireNonNull(record.valueText()).split(" ");
      return new Written(
          Long.parseLong(words[0]),
          new WriterId(words[1], Long.parseLong(words[2]), Integer.parseInt(words[3])));
    }

    byte[] toBytes() {
      return "%d %s %d %d"
          .formatted(number, writer.transactionalId(), writer.producerId(), writer.epoch())
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  private List<Written> written(int task) {
    return log.records(CHANGELOG, task).stream().map(Written::read).toList();
  }

  /// A process with one group, of which it plays the only member.
  private final class Member {
    private final String process = "process-" + started++;
    private final Set<Integer> tasks;
    private final CommitGroup group;
    private final Mailbox mailbox;
    private final Map<Integer, Long> read = new TreeMap<>();
    private boolean begun;
    private long sleepsUntil;

    Member(String id, Set<Integer> tasks) {
      this.tasks = tasks;
      GroupSettings settings =
          new GroupSettings(
              "app",
              id,
              "app.",
              CLAIMS,
              CHANGELOG,
              new ArrayList<>(tasks),
              0,
              _ -> false,
              movesTasks ? new NoSuccessor() : null,
              _ -> false,
              CommitConfig.defaults().withInterval(NEVER).withLatencyTarget(NEVER));
      group = new CommitGroup(settings, log.client(process), log.clock());
      mailbox = group.join();
    }

    void step() {
      group.step();
      for (Order order = mailbox.nextOrder(); order != null; order = mailbox.nextOrder()) {
        switch (order) {
          case Order.Restore restore -> restore(restore.ends());
          case Order.Begin _ -> begun = true;
          case Order.Collect collect -> mailbox.tell(part(collect.writer()));
          case Order.Publish _ -> {
            read.replaceAll((_, number) -> number + 1);
            mailbox.tell(new Report.Published());
          }
          case Order.Adopt _, Order.Drop _, Order.SplitOff _ -> throw new AssertionError(order);
          case Order.RollBack _, Order.Close _ -> begun = false;
        }
      }
    }

    private void restore(Map<Split, Long> ends) {
      Set<WriterId> writers = new LinkedHashSet<>();
      for (int task : tasks) {
        read.put(task, 0L);
        long end = Objects.requireNonNull(ends.get(changelog(task)));
        for (ModelRecord record : log.records(CHANGELOG, task)) {
          if (record.offset() < end) {
            Written last = Written.read(record);
            read.put(task, last.number());
            writers.add(last.writer());
          }
        }
      }
      mailbox.tell(new Report.Restored(writers));
    }

    private Report part(WriterId writer) {
      List<RecordBatch> batches = new ArrayList<>();
      read.forEach((task, number) -> {
        RecordBatch batch = RecordBatch.create().reset(changelog(task), new byte[0], 0);
        batch.append(0, 0);
        int start = batch.data().length();
        batch.data().write(new Written(number + 1, writer).toBytes());
        batch.endValue(start);
        batches.add(batch);
      });
      return new Report.Part(batches, Map.of());
    }

    boolean processes() {
      return begun && group.state() == State.PROCESSING;
    }

    void commit() {
      mailbox.tell(new Report.CommitWanted(CommitCause.PROGRESS));
    }

    void fail() {
      mailbox.tell(
          new Report.Failed(new Failure(Failure.Kind.MENDABLE, "drawn by the test", null)));
    }
  }

  private void begin(long seed) {
    log = ModelLog.of(seed);
    log.createTopic(CHANGELOG, TASKS);
    log.createTopic(CLAIMS.stream(), 1);
  }

  private Member start(String id, Integer... tasks) {
    Member member = new Member(id, new TreeSet<>(List.of(tasks)));
    members.add(member);
    return member;
  }

  private void run(int steps) {
    for (int i = 0; i < steps; i++) {
      members.forEach(Member::step);
      log.advance(Duration.ofMillis(1));
    }
  }

  private void runUntilCommitted(Member member) {
    run(2_000);
    assertTrue(member.processes(), member.group.state()::toString);
    member.commit();
    run(200);
    assertTrue(member.processes(), member.group.state()::toString);
  }

  /// Who claims a task, by task: the transactional ids of the claims that stand.
  private Map<Integer, List<String>> claims() {
    Map<Bytes, Boolean> standing = new LinkedHashMap<>();
    for (ModelRecord record : log.records(CLAIMS.stream())) {
      standing.put(Objects.requireNonNull(record.key()), record.value() != null);
    }
    Map<Integer, List<String>> claims = new TreeMap<>();
    standing.forEach((key, stands) -> {
      if (stands) {
        ByteBuffer in = ByteBuffer.wrap(key.toByteArray());
        int task = in.getInt();
        in.getLong();
        in.getInt();
        claims
            .computeIfAbsent(task, _ -> new ArrayList<>())
            .add(StandardCharsets.UTF_8.decode(in).toString());
      }
    });
    return claims;
  }

  private void requireCounted() {
    for (int task = 0; task < TASKS; task++) {
      List<Long> numbers = written(task).stream().map(Written::number).toList();
      List<Long> counted = new ArrayList<>();
      for (long i = 1; i <= numbers.size(); i++) {
        counted.add(i);
      }
      assertEquals(counted, numbers, "task " + task + ": " + written(task));
    }
  }

  @Test
  void aWriterBarsThoseThatClaimOneOfItsTasksAndLeavesOthers() {
    begin(1);
    Member one = start("app.a", 0, 1);
    runUntilCommitted(one);
    Member other = start("app.b", 2);
    runUntilCommitted(other);
    assertTrue(one.processes());
    Member successor = start("app.c", 1);
    runUntilCommitted(successor);
    one.commit();
    run(200);
    assertEquals(State.FAILED, one.group.state());
    assertEquals(Failure.Kind.FENCED, Objects.requireNonNull(one.group.failure()).kind());
    assertTrue(other.processes());
    requireCounted();
  }

  @Test
  void claimsOfTheBarredAndOwnOnesOfBeforeAreWithdrawn() {
    begin(2);
    runUntilCommitted(start("app.a", 0, 1));
    runUntilCommitted(start("app.a", 0, 1));
    assertEquals(Map.of(0, List.of("app.a"), 1, List.of("app.a")), claims());
    Member successor = start("app.b", 1);
    run(2_000);
    assertEquals(Map.of(0, List.of("app.a"), 1, List.of("app.a", "app.b")), claims());
    runUntilCommitted(successor);
    assertEquals(Map.of(0, List.of("app.a"), 1, List.of("app.b")), claims());
  }

  /// Whoever is barred while it claims for the first time opens again, and takes the claims of its
  /// predecessor, which are still there, for what they are.
  @Test
  void whoIsBarredBeforeItHasClaimedGoesOnFromItsPredecessor() {
    int barred = 0;
    for (long number = 0; number < 300; number++) {
      Seed seed = new Seed(number);
      members.clear();
      begin(number);
      movesTasks = true;
      runUntilCommitted(start("app.a", 0));
      log.crash(members.removeFirst().process);
      log.faults(Faults.drawn(seed.fork("faults")));
      Member successor = start("app.a", 0);
      for (int times = seed.below(4); times >= 0; times--) {
        run(seed.below(100));
        barred += successor.processes() ? 0 : 1;
        fence("somebody " + times);
      }
      log.calm();
      runUntilCommitted(successor);
      requireCounted();
    }
    assertTrue(barred > 100, barred + " times");
  }

  /// What is decided of a writer's claims when it was opened anew already is withdrawn even if
  /// there is nothing else to write: whoever waits for the task would wait for ever.
  @Test
  void claimsThatWereDecidedLateAreWithdrawnWithoutAnythingToWrite() {
    movesTasks = true;
    for (long number = 0; number < 300; number++) {
      Seed seed = new Seed(number);
      members.clear();
      begin(number);
      log.faults(Faults.drawn(seed.fork("faults")));
      for (int lives = seed.below(4); lives >= 0; lives--) {
        Member before = start("app.a", 0, 1);
        run(seed.below(60));
        log.crash(before.process);
        members.clear();
      }
      log.calm();
      Member successor = start("app.a", 0);
      run(2_000);
      assertTrue(successor.processes(), "seed " + number);
      assertEquals(Map.of(0, List.of("app.a")), claims(), "seed " + number);
    }
  }

  private void fence(String somebody) {
    try {
      log.client(somebody).fence(List.of("app.a"));
    } catch (LogException _) {
      // perhaps it is barred for all that
    }
  }

  @Test
  void whoHasCommittedLastIsBarredIfItsClaimIsLost() {
    begin(3);
    Member one = start("app.a", 0);
    runUntilCommitted(one);
    log.deleteTopic(CLAIMS.stream());
    log.createTopic(CLAIMS.stream(), 1);
    runUntilCommitted(start("app.b", 0));
    one.commit();
    run(200);
    assertEquals(State.FAILED, one.group.state());
    requireCounted();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 200, 300})
  void whoeverCommitsHasReadAllThatWasCommitted(int first) {
    int commits = 0;
    for (long seed = first; seed < first + 100; seed++) {
      members.clear();
      begin(seed);
      chaos(new Seed(seed));
      requireCounted();
      commits += written(0).size();
      last(seed);
    }
    assertTrue(commits > 500, commits + " commits");
  }

  private void chaos(Seed seed) {
    if (seed.coin()) {
      log.faults(Faults.drawn(seed.fork("faults")));
    }
    for (int step = 0; step < 3_000; step++) {
      if (members.size() < 2 || seed.chance(0.003)) {
        start(seed.pick(IDS), drawnTasks(seed));
      }
      Member member = members.get(seed.below(members.size()));
      if (seed.chance(0.002)) {
        log.crash(member.process);
        members.remove(member);
      } else if (seed.chance(0.002)) {
        member.sleepsUntil = (long) step + seed.below(500);
      } else if (seed.chance(0.005)) {
        member.fail();
      } else if (member.sleepsUntil <= step) {
        member.step();
        if (member.processes() && seed.chance(0.05)) {
          member.commit();
        }
      }
      log.advance(Duration.ofMillis(seed.below(seed.chance(0.01) ? 500 : 3)));
    }
  }

  private static Integer[] drawnTasks(Seed seed) {
    Set<Integer> tasks = new TreeSet<>(List.of(seed.below(TASKS)));
    for (int task = 0; task < TASKS; task++) {
      if (seed.coin()) {
        tasks.add(task);
      }
    }
    return tasks.toArray(Integer[]::new);
  }

  /// One more that owns everything comes to its goal, whatever others have left, and theirs are the
  /// claims that are left.
  private void last(long seed) {
    log.calm();
    members.forEach(member -> log.crash(member.process));
    members.clear();
    log.advance(Duration.ofSeconds(5)); // what they have sent last arrives, or never will
    Member last = start("app.last", 0, 1, 2);
    run(12_000);
    runUntilCommitted(last);
    requireCounted();
    Map<Integer, List<String>> claims = claims();
    for (int task = 0; task < TASKS; task++) {
      assertEquals(List.of("app.last"), claims.get(task), "seed " + seed + " task " + task);
    }
  }
}

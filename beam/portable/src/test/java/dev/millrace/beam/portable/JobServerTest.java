package dev.millrace.beam.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.model.pipeline.v1.MetricsApi.MonitoringInfo;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.MapState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.PeriodicImpulse;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.WithTimestamps;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Status;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.StatusRuntimeException;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Pipelines that are handed in at a job server run in harnesses of the Java SDK, which are in the
/// process of the test here.
class JobServerTest {
  private static final List<JobState.Enum> TO_THE_END =
      List.of(
          JobState.Enum.STOPPED, JobState.Enum.STARTING, JobState.Enum.RUNNING, JobState.Enum.DONE);
  private static final long KEYS = 3;
  private static final long NUMBERS = 60;
  private static final long WINDOW_MILLIS = 20;
  private static final long FACTOR = 5;

  /// What pipelines give.
  private static final Queue<String> GIVEN = new ConcurrentLinkedQueue<>();

  private JobServer server;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    GIVEN.clear();
    server = JobServer.start(JobServerOptions.defaults().withPort(0));
    client = new Client(server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static Pipeline pipeline(String name) {
    return Pipeline.create(Client.options(name));
  }

  @Test
  void wordsAreCounted() {
    Pipeline pipeline = pipeline("words");
    pipeline
        .apply(Create.of("to be or not to be", "that is the question"))
        .apply(ParDo.of(new Split()))
        .apply(Count.perElement())
        .apply(ParDo.of(new Counts()))
        .apply(ParDo.of(new Give()));
    String job = client.start(pipeline);
    assertEquals(TO_THE_END, client.states(job));
    assertEquals(
        List.of("be 2", "is 1", "not 1", "or 1", "question 1", "that 1", "the 1", "to 2"), given());
    assertEquals(10, counted(client.metrics(job).getAttemptedList()));
    assertEquals(10, counted(client.metrics(job).getCommittedList()));
  }

  private static List<String> given() {
    return GIVEN.stream().sorted().toList();
  }

  private static long counted(List<MonitoringInfo> all) {
    return all.stream()
        .filter(each -> "all".equals(each.getLabelsMap().get("NAME")))
        .mapToLong(each -> number(each.getPayload()))
        .sum();
  }

  private static long number(ByteString payload) {
    try {
      return VarLongCoder.of().decode(payload.newInput());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void statesTimersAndViewsAreAsPlainArithmeticSays() {
    Pipeline pipeline = pipeline("sums");
    List<Long> numbers = new ArrayList<>();
    for (long number = 0; number < NUMBERS; number++) {
      numbers.add(number);
    }
    PCollection<KV<Long, Long>> keyed =
        pipeline
            .apply(Create.of(numbers).withCoder(VarLongCoder.of()))
            .apply(WithTimestamps.of(Instant::ofEpochMilli))
            .apply(
                WithKeys.<Long, Long>of(number -> number % KEYS)
                    .withKeyType(TypeDescriptors.longs()))
            .apply(Window.into(FixedWindows.of(Duration.millis(WINDOW_MILLIS))));
    PCollectionView<Long> factor =
        pipeline.apply(Create.of(FACTOR).withCoder(VarLongCoder.of())).apply(View.asSingleton());
    PCollection<String> grouped =
        keyed
            .apply(GroupByKey.create())
            .apply(ParDo.of(new Grouped(factor)).withSideInputs(factor));
    PCollection<String> stateful = keyed.apply("State", ParDo.of(new Summed()));
    PCollectionList.of(grouped)
        .and(stateful)
        .apply(Flatten.pCollections())
        .apply(ParDo.of(new Give()));
    assertEquals(TO_THE_END, client.states(client.start(pipeline)));
    assertEquals(expected(), given());
  }

  private static List<String> expected() {
    TreeSet<String> lines = new TreeSet<>();
    for (long start = 0; start < NUMBERS; start += WINDOW_MILLIS) {
      for (long key = 0; key < KEYS; key++) {
        long sum = 0;
        long evens = 0;
        for (long number = start; number < start + WINDOW_MILLIS; number++) {
          sum += number % KEYS == key ? number : 0;
          evens += number % KEYS == key && number % 2 == 0 ? 1 : 0;
        }
        lines.add("grouped %d %d %d".formatted(key, start, sum * FACTOR));
        lines.add("summed %d %d %d %d".formatted(key, start, sum, evens));
      }
    }
    return List.copyOf(lines);
  }

  @Test
  void whatUserCodeThrowsIsTold() {
    Pipeline pipeline = pipeline("failing");
    pipeline.apply(Create.of("fail")).apply(ParDo.of(new Fail()));
    String job = client.start(pipeline);
    assertEquals(JobState.Enum.FAILED, client.states(job).getLast());
    List<String> messages = client.messages(job);
    assertTrue(
        messages.size() == 1
            && messages.getFirst().contains("this word is not wanted")
            && messages.getFirst().contains("begins with 'Create.Values"),
        messages::toString);
  }

  @Test
  void anUnboundedPipelineSaysWhereItsStateIsKept() {
    Pipeline pipeline = pipeline("unbounded");
    pipeline.apply(PeriodicImpulse.create()).apply(ParDo.of(new Ignore()));
    String job = client.start(pipeline);
    assertEquals(JobState.Enum.FAILED, client.states(job).getLast());
    assertTrue(
        client.messages(job).getFirst().contains("nothing says where"),
        client.messages(job)::toString);
  }

  @Test
  void jobsAreListedAndOthersAreNotThere() {
    String job = client.start(pipeline("empty"));
    assertEquals(JobState.Enum.FAILED, client.states(job).getLast());
    List<JobApi.JobInfo> all =
        client.jobs().getJobs(JobApi.GetJobsRequest.getDefaultInstance()).getJobInfoList();
    assertEquals(List.of(job), all.stream().map(JobApi.JobInfo::getJobId).toList());
    assertEquals("empty", all.getFirst().getJobName());
    StatusRuntimeException refused =
        assertThrows(StatusRuntimeException.class, () -> client.states("another"));
    assertEquals(Status.Code.NOT_FOUND, refused.getStatus().getCode());
  }

  private static final class Split extends DoFn<String, String> {
    private final Counter words = Metrics.counter("words", "all");

    @ProcessElement
    public void process(@Element String line, OutputReceiver<String> out) {
      for (String word : line.split(" ")) {
        words.inc();
        out.output(word);
      }
    }
  }

  private static final class Counts extends DoFn<KV<String, Long>, String> {
    @ProcessElement
    public void process(@Element KV<String, Long> count, OutputReceiver<String> out) {
      out.output(count.getKey() + " " + count.getValue());
    }
  }

  private static final class Give extends DoFn<String, Void> {
    @ProcessElement
    public void process(@Element String line) {
      GIVEN.add(line);
    }
  }

  private static final class Grouped extends DoFn<KV<Long, Iterable<Long>>, String> {
    private final PCollectionView<Long> factor;

    Grouped(PCollectionView<Long> factor) {
      this.factor = factor;
    }

    @ProcessElement
    public void process(ProcessContext context, BoundedWindow window) {
      long sum = 0;
      for (long each : context.element().getValue()) {
        sum += each;
      }
      context.output(
          "grouped %d %d %d"
              .formatted(
                  context.element().getKey(), start(window), sum * context.sideInput(factor)));
    }
  }

  private static long start(BoundedWindow window) {
    return ((IntervalWindow) window).start().getMillis();
  }

  private static final class Summed extends DoFn<KV<Long, Long>, String> {
    @StateId("numbers")
    private final StateSpec<BagState<Long>> numbers = StateSpecs.bag(VarLongCoder.of());

    @StateId("evens")
    private final StateSpec<MapState<Long, Long>> evens =
        StateSpecs.map(VarLongCoder.of(), VarLongCoder.of());

    @StateId("key")
    private final StateSpec<ValueState<Long>> key = StateSpecs.value(VarLongCoder.of());

    @TimerId("end")
    private final TimerSpec end = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @ProcessElement
    public void process(
        @Element KV<Long, Long> number,
        @StateId("numbers") BagState<Long> all,
        @StateId("evens") MapState<Long, Long> even,
        @StateId("key") ValueState<Long> known,
        @TimerId("end") Timer timer,
        BoundedWindow window) {
      all.add(number.getValue());
      if (number.getValue() % 2 == 0) {
        even.put(number.getValue(), 1L);
      }
      known.write(number.getKey());
      timer.set(window.maxTimestamp());
    }

    @OnTimer("end")
    @SuppressWarnings("UnusedMethod") // Beam calls it
    public void ended(
        OnTimerContext context,
        @StateId("numbers") BagState<Long> all,
        @StateId("evens") MapState<Long, Long> even,
        @StateId("key") ValueState<Long> known,
        BoundedWindow window) {
      long sum = 0;
      for (long each : all.read()) {
        sum += each;
      }
      long evens = 0;
      for (long _ : even.keys().read()) {
        evens++;
      }
      context.output("summed %d %d %d %d".formatted(known.read(), start(window), sum, evens));
    }
  }

  private static final class Fail extends DoFn<String, Void> {
    @ProcessElement
    public void process(@Element String word) {
      throw new IllegalArgumentException("this word is not wanted: " + word);
    }
  }

  private static final class Ignore extends DoFn<Instant, Void> {
    @ProcessElement
    public void process() {
      // Nothing comes of it.
    }
  }
}

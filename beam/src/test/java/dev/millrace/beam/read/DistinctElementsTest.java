package dev.millrace.beam.read;

import java.util.stream.LongStream;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestPipelineOptions;
import org.junit.jupiter.api.Test;

/// Elements of one id come once, in whichever part of a source they are and however often its
/// readers begin again.
class DistinctElementsTest {
  private static final long NUMBERS = 200;

  @Test
  void eachElementComesOnce() {
    run("--runner=TestMillraceRunner");
  }

  @Test
  void eachElementComesOnceThoughThePipelineDies() {
    run("--runner=TestMillraceRunner", "--crashSeed=4");
  }

  private static void run(String... arguments) {
    PipelineOptions options = PipelineOptionsFactory.fromArgs(arguments).create();
    options.as(TestPipelineOptions.class).setTestTimeoutSeconds(200L);
    TestPipeline pipeline = TestPipeline.fromOptions(options).enableAbandonedNodeEnforcement(false);
    PAssert.that(pipeline.apply(Read.from(new RepeatingSource(NUMBERS))))
        .containsInAnyOrder(LongStream.range(0, NUMBERS).boxed().toList());

    pipeline.run().waitUntilFinish();
  }
}

package dev.millrace.examples.beam;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Instant;

/// What the members of a site for jobs do: how often each page was seen within the last hour, and
/// what each member saw and applied for in one visit.
///
/// It is a pipeline as for any runner. With `millrace-beam` on the class path and
/// `--runner=MillraceRunner` it is an application of Millrace.
public final class MemberActivity {

  /// Where its data is. A line of the input is `2026-05-04T10:00:00Z,member,page`, and one of the
  /// applications has a job in place of the page.
  public interface Options extends PipelineOptions {
    /// Returns the files of the pages that were seen.
    @Description("Files with lines of time, member and page")
    @Validation.Required
    String getViews();

    /// Sets the files of the pages that were seen.
    void setViews(String files);

    /// Returns the files of the applications for jobs.
    @Description("Files with lines of time, member and job")
    @Validation.Required
    String getApplications();

    /// Sets the files of the applications for jobs.
    void setApplications(String files);

    /// Returns the directory for the results.
    @Description("Directory for the files pages and visits")
    @Validation.Required
    String getOutput();

    /// Sets the directory for the results.
    void setOutput(String directory);
  }

  private MemberActivity() {}

  /// Runs it until its input has ended.
  public static void main(String[] args) {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    Pipeline pipeline = Pipeline.create(options);
    PCollection<KV<String, String>> views =
        pipeline.apply("Views", new ByMember(options.getViews()));
    PCollection<KV<String, String>> applications =
        pipeline.apply("Applications", new ByMember(options.getApplications()));

    views
        .apply("Pages", new PagesOfTheHour())
        .apply("WritePages", TextIO.write().to(options.getOutput() + "/pages").withNumShards(1));
    Visits.of(views, applications)
        .apply("WriteVisits", TextIO.write().to(options.getOutput() + "/visits").withNumShards(1));

    pipeline.run().waitUntilFinish();
  }

  /// Reads what members did, at the times when they did it.
  private static final class ByMember extends PTransform<PBegin, PCollection<KV<String, String>>> {
    private final String files;

    ByMember(String files) {
      this.files = files;
    }

    @Override
    public PCollection<KV<String, String>> expand(PBegin begin) {
      return begin.apply(TextIO.read().from(files)).apply(ParDo.of(new Parse()));
    }
  }

  private static final class Parse extends DoFn<String, KV<String, String>> {
    @ProcessElement
    public void process(@Element String line, OutputReceiver<KV<String, String>> out) {
      String[] fields = line.split(",");
      out.outputWithTimestamp(KV.of(fields[1], fields[2]), Instant.parse(fields[0]));
    }
  }
}

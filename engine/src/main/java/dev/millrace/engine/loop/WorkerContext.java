package dev.millrace.engine.loop;

import dev.millrace.engine.chain.Outbox;
import dev.millrace.engine.input.Sources;
import dev.millrace.engine.plan.Plan;
import dev.millrace.engine.settings.EngineSettings;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Split;
import java.util.function.ToIntFunction;

/// What the tasks of one worker share.
///
/// @param place where this worker stands in the job
/// @param partitionsOfSinks how many partitions the topic of a sink has
record WorkerContext(
    Plan plan,
    EngineSettings settings,
    JobIdentity place,
    Clock clock,
    Sources sources,
    Outbox outbox,
    BadRecords badRecords,
    ReadExchanges readExchanges,
    ToIntFunction<String> partitionsOfSinks) {

  /// Tells how far splits can be read now; see [dev.millrace.spi.SplitReader#endOffset].
  @FunctionalInterface
  interface Ends {
    long endOffset(Split split);
  }
}

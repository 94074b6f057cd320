/// Building blocks of tests and simulations.
///
/// [dev.millrace.testkit.Seed] provides all randomness, [dev.millrace.testkit.time.Scheduler] all
/// time, and [dev.millrace.testkit.log.ModelLog] takes the place of Kafka. One thread runs
/// everything, so a run is determined by its seed.
@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;

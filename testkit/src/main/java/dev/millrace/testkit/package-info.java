/// What tests and simulations are made of.
///
/// [dev.millrace.testkit.Seed] gives all randomness, [dev.millrace.testkit.time.Scheduler] all
/// time, and [dev.millrace.testkit.log.ModelLog] stands in for Kafka. One thread runs everything,
/// so a run is determined by its seed.
@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;

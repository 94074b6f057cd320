/// The four scenarios of the Samza benchmark of 2015 and an exchange, for Millrace and other
/// engines, one after the other in one run.
///
/// In the process of an engine a [dev.millrace.benchmarks.scenarios.ScenarioPeer] does an
/// [dev.millrace.benchmarks.scenarios.Assignment]; what peers of other modules need of this package
/// has no dependency but the JDK. The benchmark knows an engine as a
/// [dev.millrace.benchmarks.scenarios.Contender]. A [dev.millrace.benchmarks.scenarios.Workload]
/// says what the records are, `Input` writes them, and `Check` compares what came out with what it
/// must be.
@NullMarked
package dev.millrace.benchmarks.scenarios;

import org.jspecify.annotations.NullMarked;

/// What it costs that containers come, go and die: how long their tasks and those of others stand
/// still, whether anything is lost or counted twice, and whether tasks find their state again.
///
/// Begin with [ContainersBenchmark]. A [Scene] is one application at work with all that watches it;
/// each class of a row plays one in it.
@NullMarked
package dev.millrace.benchmarks.containers;

import org.jspecify.annotations.NullMarked;

/// The process of an engine that answers a query of Nexmark, and what it is told. Stands on the JDK
/// alone, as peers use it.
@NullMarked
package dev.millrace.benchmarks.nexmark.peer;

import org.jspecify.annotations.NullMarked;

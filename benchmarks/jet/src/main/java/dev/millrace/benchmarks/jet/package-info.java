/// Hazelcast Jet as one engine among others.
@NullMarked
package dev.millrace.benchmarks.jet;

import org.jspecify.annotations.NullMarked;

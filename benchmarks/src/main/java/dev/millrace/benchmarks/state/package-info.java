/// What state on disk costs.
@NullMarked
package dev.millrace.benchmarks.state;

import org.jspecify.annotations.NullMarked;

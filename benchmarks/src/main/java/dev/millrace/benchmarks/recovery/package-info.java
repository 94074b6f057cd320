/// How long a job takes to be back, and what decides it: figure 11 of Noghabi et al. and table I of
/// Chronarakis et al.
@NullMarked
package dev.millrace.benchmarks.recovery;

import org.jspecify.annotations.NullMarked;

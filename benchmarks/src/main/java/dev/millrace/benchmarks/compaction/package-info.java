/// Figures 3 to 9 of Chronarakis et al.: how long the changelog of windows grows, and what the
/// broker works for it, by how eagerly it compacts.
@NullMarked
package dev.millrace.benchmarks.compaction;

import org.jspecify.annotations.NullMarked;

/// Figures 3 to 9 of S3: how long the changelog of windows grows, and what the broker works for it,
/// by how eagerly it compacts.
@NullMarked
package dev.millrace.benchmarks.compaction;

import org.jspecify.annotations.NullMarked;

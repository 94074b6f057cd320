/// Figure 8 of Noghabi et al.: what a stateful job is worth with its state in memory, on disk,
/// without a cache and in a store elsewhere, with and without a changelog.
///
/// In the process of a job a [dev.millrace.benchmarks.localstate.StateJob] does a
/// [dev.millrace.benchmarks.localstate.StateTask]; that of a remote store stands in a module of its
/// own, with its client and server. `StateInput` writes what the jobs read, and knows what must
/// come out.
@NullMarked
package dev.millrace.benchmarks.localstate;

import org.jspecify.annotations.NullMarked;

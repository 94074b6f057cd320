/// A job of Millrace whose state is in Redis, with Redis itself: the remote store of figure 8 of
/// Noghabi et al.
@NullMarked
package dev.millrace.benchmarks.redis;

import org.jspecify.annotations.NullMarked;

/// A model of a local disk that loses and tears what was not synced, runs full, fails and flips
/// bits, all under a seed.
@NullMarked
package dev.millrace.testkit.disk;

import org.jspecify.annotations.NullMarked;

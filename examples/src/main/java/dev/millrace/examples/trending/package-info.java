/// The paper's Trending Tags, Listing 1 of "Samza: Stateful Scalable Stream Processing at
/// LinkedIn".
@NullMarked
package dev.millrace.examples.trending;

import org.jspecify.annotations.NullMarked;

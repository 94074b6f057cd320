/// Delayed flights: the shape of Trending Tags on real data.
@NullMarked
package dev.millrace.examples.flights;

import org.jspecify.annotations.NullMarked;

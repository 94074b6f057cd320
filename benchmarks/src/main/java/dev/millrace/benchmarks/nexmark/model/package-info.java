/// What happens at the auctions of Nexmark: people come, auctions open, bids are made. Stands on
/// the JDK alone, as peers use it.
@NullMarked
package dev.millrace.benchmarks.nexmark.model;

import org.jspecify.annotations.NullMarked;

/// What was decided, in a compacted topic, and the right to decide.
///
/// [Decisions] reads the topic and knows the placement. [Lead] is the writer of the one member that
/// decides: it bars its predecessor, reads to the end, and begins a new [Term]. A decision is one
/// transaction; its last record is the term, so that readers take a decision as a whole.
@NullMarked
package dev.millrace.internal.cluster.decide;

import org.jspecify.annotations.NullMarked;

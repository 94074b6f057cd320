/// Who is to own and to follow what: a pure function from what is known to the next placement.
///
/// Read [Placer] first, then [Seat], [Facts] and [Policy]. [Draft] holds a placement while it is
/// changed; [Successors] chooses who takes over a bundle, [Moves] evens out the load, and
/// [Followers] chooses who keeps a warm copy.
@NullMarked
package dev.millrace.internal.cluster.place;

import org.jspecify.annotations.NullMarked;

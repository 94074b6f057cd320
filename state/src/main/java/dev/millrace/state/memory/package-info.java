/// Disks that keep everything on the heap, for stores in memory and for tests.
@NullMarked
package dev.millrace.state.memory;

import org.jspecify.annotations.NullMarked;

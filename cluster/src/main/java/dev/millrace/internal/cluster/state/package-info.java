/// How large the state of each task is, as its owners have told.
@NullMarked
package dev.millrace.internal.cluster.state;

import org.jspecify.annotations.NullMarked;

/// The directory in which a container keeps the state of its tasks: private to its user, held by
/// one process at a time, and never reached through a symbolic link.
@NullMarked
package dev.millrace.internal.state.local;

import org.jspecify.annotations.NullMarked;

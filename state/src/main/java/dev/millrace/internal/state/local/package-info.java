/// The directory in which the processes of an application keep the state of its tasks on a host: a
/// home, private to its user and never reached through a symbolic link. One process at a time has a
/// task.
@NullMarked
package dev.millrace.internal.state.local;

import org.jspecify.annotations.NullMarked;

/// Other engines beside Millrace, each in a process and on a class path of its own.
///
/// A [dev.millrace.benchmarks.peer.Peer] runs inside its process; the benchmark knows it as a
/// [dev.millrace.benchmarks.peer.Engine]. What peers of other modules need of this one has no
/// dependency but the JDK.
@NullMarked
package dev.millrace.benchmarks.peer;

import org.jspecify.annotations.NullMarked;

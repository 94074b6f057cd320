/// A log in the memory of one process, in place of Kafka.
///
/// Start reading at [dev.millrace.internal.memory.MemoryStore], which holds topics, writers and
/// positions of groups, and [connects][dev.millrace.internal.memory.MemoryStore#connect] to them. A
/// [dev.millrace.internal.memory.Partition] is a list of blocks, each the copy of one batch that
/// was sent. One lock guards everything but the content of blocks, which never changes: records are
/// copied outside the lock, by whoever sends or reads them.
@NullMarked
package dev.millrace.internal.memory;

import org.jspecify.annotations.NullMarked;

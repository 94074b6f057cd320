/// The protocol of the commit group and what a commit leaves behind: [Protocol] is the table of
/// states, [CommitGroup] walks it, [CommitRecord] is the truth about a task.
@NullMarked
package dev.millrace.internal.engine.commit;

import org.jspecify.annotations.NullMarked;

/// The protocol of the commit group and what a commit leaves behind: [Protocol] is the table of
/// states, [CommitGroup] walks it, [GroupFailures] says what a failure is to it, [CommitRecord] is
/// the truth about a task.
///
/// Tests of a whole group need the model of the log, and so are in `proof`, package
/// `testkit.commit`: `CommitGroupTest`, and `GroupScriptsTest` with scripts that show a group at
/// work.
@NullMarked
package dev.millrace.internal.engine.commit;

import org.jspecify.annotations.NullMarked;

/// A task's disk as one RocksDB that is written by ingest only.
///
/// An ingest builds one sorted file that holds all entries of the run and, under the reserved empty
/// key, the position; then it is handed to RocksDB, which links it into its directory and names it
/// in its manifest. That one record in the manifest makes data and position visible together.
/// Nothing is ever put or written as a batch, so the memtable and the write-ahead log stay empty.
///
/// **Durability.** The file is synced when it is finished, again under its new name, then its
/// directory, then the manifest; RocksDB does all this and offers no way to leave it out. So an
/// ingest that has returned survives a loss of power as well as a kill of the process, and the
/// prefix promise holds in both cases. If the process dies
///
/// - while the file is built: it is in `ingest/`, which is emptied when the disk is opened;
/// - after it was linked, before the manifest names it: RocksDB deletes what its manifest does not
///   name;
/// - while the manifest is written: its records have checksums, and an incomplete last one is
///   ignored;
/// - later: the ingest has happened. The second name of the file, in `ingest/`, is deleted at open.
///
/// If a sync of the manifest fails, RocksDB refuses further ingests until the disk is opened again,
/// and `TaskDirectory.bringBackLastRun` restores the file that is missing then.
///
/// **Layout.** The directory is a home, which processes share; see
/// [dev.millrace.internal.state.local.HomeDirectory]. `locks/task-TASK` holds a task for one
/// process while its disk or stage is open. `tasks/TASK/FORMAT` says which version of the layout it
/// is and what wrote it, `tasks/TASK/db/` is the database, `tasks/TASK/ingest/` is for files being
/// built. A task's directory is built under another name and renamed when it is complete; a wiped
/// one is renamed before it is deleted. `native/` takes RocksDB's library, which would otherwise be
/// unpacked at every start, and left behind in the system's temporary directory by every process
/// that is killed.
///
/// **Images** are checkpoints of RocksDB in `tasks/.image-TASK.USER.NUMBER/`, where the user is who
/// took them: sorted files get a second name there, which costs no copy and keeps them when a
/// compaction is through with them. A disk is made of the files of an image in
/// `tasks/.stage-TASK/`, which is then renamed to `tasks/TASK/`.
///
/// **Compaction.** Each run overlaps all others, if only by the position, so each lands in level 0.
/// From four on they are merged into the levels below, in the background; each level is five times
/// as large as the one above it, the first 6 to 32 MB. Bloom filters keep reads from touching runs
/// that do not have a key. If runs arrive faster than they can be merged, an ingest waits.
///
/// **Closing** goes from the inside out: cursors (iterator, its options, its bound), the database,
/// and with the last disk what all disks share: read and ingest options, options, filter, block
/// cache.
///
/// To read: [dev.millrace.internal.state.rocksdb.RocksDisks], `RocksDisk`, `RunFileBuilder`,
/// `TaskDirectory`, `SharedNatives`, `RocksLibrary`.
@NullMarked
package dev.millrace.internal.state.rocksdb;

import org.jspecify.annotations.NullMarked;

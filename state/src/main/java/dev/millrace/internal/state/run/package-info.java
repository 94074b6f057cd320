/// A task's disk made of immutable sorted runs, in plain Java over a handful of file operations.
///
/// It keeps the contract of [dev.millrace.spi.Disk] deterministically and in one thread, so that a
/// simulation can crash it at every operation and lose whatever was not synced. Production uses
/// RocksDB; this serves the model disk, and places where no native library can be loaded.
///
/// A task has a manifest and runs. An ingest writes a run, syncs it, writes a new manifest that
/// names it and holds the position, syncs that, and renames it over the old one: the rename is the
/// moment at which the ingest has happened. When there are too many runs, the newest are merged
/// into one before the next ingest. Files that no manifest names are left over from a crash and
/// deleted at open.
///
/// An image is a manifest and the runs it names, which are kept as long as the image needs them. A
/// disk is made of one in a stage, see `SortedRunStage`.
///
/// To read: [dev.millrace.internal.state.run.RunFiles], what is asked of a file system;
/// [dev.millrace.internal.state.run.SortedRunDisk], the machine; `RunWriter` and `RunReader`, the
/// format of a run; `Manifest`.
///
/// Every byte that is read is checked: the manifest has a CRC32C of itself and the checksum of each
/// run's footer, the footer that of the index, the index that of each block.
@NullMarked
package dev.millrace.internal.state.run;

import org.jspecify.annotations.NullMarked;

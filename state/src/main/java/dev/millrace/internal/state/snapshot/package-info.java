/// Snapshots of a task's disk in a blob store, each of which copies only new files.
///
/// The files of a [dev.millrace.spi.DiskImage] become blobs that are named by the SHA-256 of their
/// content, so a file that an earlier snapshot had is there already. A manifest names the files of
/// one snapshot and is put last: blobs that no manifest names are not part of a snapshot, and blobs
/// that a manifest names are checked when they are fetched. All blobs of a task are under
/// `APPLICATION/TOPIC/TASK/`, where `TOPIC` is the id of the changelog topic: another changelog of
/// the same name, of a recreated topic or of another cluster, has a separate place.
///
/// **Many at once.** Nobody holds a lock in the blob store. A process that was paused may wake up,
/// put a snapshot that is older than what is there, and collect. That is safe, because
///
/// - the content of every snapshot is a prefix of the changelog, whoever wrote it, and the manifest
///   says which: it is used by its content, not by the time of its arrival;
/// - a manifest and a blob never change, and two processes that put the same name put the same
///   bytes;
/// - nothing that is fetched is used before its hash is verified;
/// - a collector deletes blobs only that no manifest names which it found when it looked, and that
///   are older than a grace time, so that it leaves alone what others have just put and not yet
///   named; it never deletes a manifest with a later position than its own.
///
/// One case is left: a blob lies there that no manifest names, somebody finds it and need not put
/// it, and a collector that looked earlier deletes it. So whoever has put a manifest looks whether
/// all its blobs are there, and puts back the missing. A deletion that comes later still leaves a
/// snapshot that lacks a blob: it is skipped for the next older one, and the next snapshot puts the
/// blob back. The worst consequence is a longer replay.
///
/// To read: [dev.millrace.internal.state.snapshot.SnapshotStore], `SnapshotManifest`,
/// `SnapshotCollector`.
@NullMarked
package dev.millrace.internal.state.snapshot;

import org.jspecify.annotations.NullMarked;

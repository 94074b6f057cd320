package dev.millrace;

import dev.millrace.internal.engine.lease.Holder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for the state directory of a container that is free, or to be taken over, while another
/// process holds the directory: that process may be about to end. Nothing is taken from it
/// meanwhile, so if it does not end, it continues undisturbed. Used by the control thread.
final class DirectoryWait {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryWait.class);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration TELL_AFTER = Duration.ofSeconds(1);

  private final StateHome home;
  private final SpaceForStart space;
  private final Refusals refusals;
  private long begunNanos;
  private boolean begun;
  private boolean told;

  DirectoryWait(StateHome home, SpaceForStart space, Refusals refusals) {
    this.home = home;
    this.space = space;
    this.refusals = refusals;
  }

  /// Tries to take the directory.
  ///
  /// @param other who holds the container, if it is known
  /// @return null if it was taken or may be yet
  @Nullable JobFailure refusal(@Nullable Holder other) {
    if (space.await(home::tryHold)) {
      return null;
    }
    long now = System.nanoTime();
    if (!begun) {
      begun = true;
      begunNanos = now;
    }
    if (!told && now - begunNanos >= TELL_AFTER.toNanos()) {
      told = true;
      LOG.info("Waiting up to {} s: {}.", PATIENCE.toSeconds(), home.inUse());
    }
    return now - begunNanos >= PATIENCE.toNanos()
        ? refusals.directoryInUse(other, home.name(), home.inUse())
        : null;
  }
}

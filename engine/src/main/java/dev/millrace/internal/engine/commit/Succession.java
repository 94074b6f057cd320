package dev.millrace.internal.engine.commit;

import java.util.List;
import java.util.function.Consumer;

/// A task that comes to a commit group, which has claimed it: what is to be done before it begins.
///
/// @param claim of the group's writer
/// @param end the offset behind the claim
/// @param force whether the others that claim the task are barred; else they are waited for until
///   they have let go of it
/// @param told is told once how it ended, by any thread
public record Succession(Claim claim, long end, boolean force, Consumer<Outcome> told) {

  /// How it ended.
  public sealed interface Outcome {}

  /// The state is what was committed last, and nobody else can write for the task any more.
  ///
  /// @param barred the claims of those that were barred
  public record Ready(List<Claim> barred) implements Outcome {}

  /// A later decision gives the task to somebody else.
  public record Displaced() implements Outcome {}

  /// It cannot be done here.
  public record Failed(Failure failure) implements Outcome {}

  /// Prepares tasks that come to a commit group. Thread-safe.
  public interface Successor {
    /// Prepares a task.
    void succeed(Succession succession);

    /// Stops to prepare a task: it does not come any more, or is claimed anew. Does nothing if the
    /// task is prepared for another claim.
    ///
    /// @param claim of the [succession][#succeed]
    void drop(Claim claim);

    /// Takes in that a writer of this process was opened, which bars a former process of its name.
    void opened(String transactionalId);
  }
}

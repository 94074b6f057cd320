package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Split;
import dev.millrace.spi.settings.CommitConfig;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a commit group needs to know.
///
/// @param group the consumer group that consumed positions are shown under
/// @param transactionalId of the group's writer
/// @param idPrefix what all transactional ids of the application start with
/// @param claims the partition with the claims of the application
/// @param changelog the topic whose partitions are the changelogs of tasks
/// @param tasks the numbers of the tasks that it begins with
/// @param version of the decision that gave it these
/// @param former whether only a former process of this one wrote under a transactional id
/// @param successor prepares tasks that come while the group goes on; null if none do
/// @param outside which streams are written outside the transaction, at least once
/// @param commit how often the group commits; see [CommitPace]
public record GroupSettings(
    String group,
    String transactionalId,
    String idPrefix,
    Split claims,
    String changelog,
    List<Integer> tasks,
    long version,
    Predicate<String> former,
    Succession.@Nullable Successor successor,
    Predicate<String> outside,
    CommitConfig commit) {}

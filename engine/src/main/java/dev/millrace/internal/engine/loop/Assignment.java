package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.chain.Chains;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.input.Alignment;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.Follower;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.TaskShare;
import dev.millrace.internal.engine.sources.ReadPartitions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a worker is to do.
///
/// @param number among the container's workers
/// @param limits of the memory of the worker
/// @param share of the memory of each of its tasks
/// @param transactionalId of the writer of its commit group
/// @param partitions that are read of each stream
/// @param alignment of the container
/// @param follower prepares tasks that come; null if none do
public record Assignment(
    int number,
    Chains.OfWorker chains,
    EngineSettings settings,
    MemoryLimits limits,
    TaskShare share,
    JobIdentity identity,
    String transactionalId,
    List<Plan.TaskId> tasks,
    ReadPartitions partitions,
    Alignment alignment,
    @Nullable Follower follower) {}

package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.chain.Chains;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.input.Alignment;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import java.util.List;

/// What a worker is to do.
///
/// @param number among the container's workers
/// @param limits of the memory of the worker and its tasks
/// @param alignment of the container
public record Assignment(
    int number,
    Chains.OfWorker chains,
    EngineSettings settings,
    MemoryLimits limits,
    JobIdentity identity,
    List<Plan.TaskId> tasks,
    Alignment alignment) {}

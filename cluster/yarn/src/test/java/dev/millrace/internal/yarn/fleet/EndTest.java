package dev.millrace.internal.yarn.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.ExitCode;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.jupiter.api.Test;

class EndTest {
  @Test
  void statusesOfProcessesMeanWhatMillraceSays() {
    assertEquals(End.DONE, End.of(ExitCode.DONE));
    assertEquals(End.FAILED, End.of(ExitCode.FAILED));
    assertEquals(End.FINAL, End.of(ExitCode.USAGE));
    assertEquals(End.FINAL, End.of(ExitCode.BAD_INPUT));
    assertEquals(End.FINAL, End.of(ExitCode.TAKEN));
    assertEquals(End.FAILED, End.of(ExitCode.STOP_TIMEOUT));
    assertEquals(End.RESTART, End.of(ExitCode.RESTART));
  }

  @Test
  void statusesOfYarnMeanWhatYarnSays() {
    assertEquals(End.NOT_STARTED, End.of(ContainerExitStatus.INVALID));
    assertEquals(End.NOT_STARTED, End.of(ContainerExitStatus.DISKS_FAILED));
    assertEquals(End.TAKEN_AWAY, End.of(ContainerExitStatus.ABORTED));
    assertEquals(End.TAKEN_AWAY, End.of(ContainerExitStatus.PREEMPTED));
    assertEquals(End.TAKEN_AWAY, End.of(ContainerExitStatus.KILLED_BY_RESOURCEMANAGER));
    assertEquals(End.TAKEN_AWAY, End.of(ContainerExitStatus.KILLED_BY_APPMASTER));
    assertEquals(End.TAKEN_AWAY, End.of(ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER));
    assertEquals(End.FAILED, End.of(ContainerExitStatus.KILLED_EXCEEDED_PMEM));
    assertEquals(End.FAILED, End.of(ContainerExitStatus.KILLED_FOR_EXCESS_LOGS));
  }

  @Test
  void aSignalIsNobodysFault() {
    assertEquals(End.KILLED, End.of(137));
    assertEquals(End.KILLED, End.of(143));
    assertEquals(End.FAILED, End.of(139));
  }
}

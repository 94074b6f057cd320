"""What Beam's own tests say of a portable runner, on a job server that runs already."""

import os

from apache_beam.runners.portability import portable_runner_test


class MillraceRunnerTest(portable_runner_test.PortableRunnerTestWithExternalEnv):

  @classmethod
  def _create_job_endpoint(cls):
    return os.environ['JOB_ENDPOINT']

  def test_custom_merging_window(self):
    """Left out: the runner cannot merge windows that only Python knows."""

  def test_custom_window_type(self):
    """Left out: the runner cannot read windows that only Python knows."""


# Otherwise the tests of the module would be found, too.
del portable_runner_test

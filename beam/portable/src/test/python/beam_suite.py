"""What Beam's own tests say of a portable runner, on a job server that runs already."""

import os

from apache_beam.runners.portability import portable_runner_test


class MillraceRunnerTest(portable_runner_test.PortableRunnerTestWithExternalEnv):

  @classmethod
  def _create_job_endpoint(cls):
    return os.environ['JOB_ENDPOINT']


# Otherwise the tests of the module would be found, too.
del portable_runner_test

"""Expands Beam's transforms for tests of several languages, and runs their functions.

It says on which port it expands, and goes on until its input ends.
"""

import sys

import grpc
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.portability.api import beam_artifact_api_pb2_grpc
from apache_beam.portability.api import beam_expansion_api_pb2_grpc
from apache_beam.runners.portability import artifact_service
from apache_beam.runners.portability import expansion_service
# Its transforms are known when it is imported.
from apache_beam.runners.portability import expansion_service_test  # pylint: disable=unused-import
from apache_beam.runners.worker import worker_pool_main
from apache_beam.utils import thread_pool_executor


def main():
  workers, pool = worker_pool_main.BeamFnExternalWorkerPoolServicer.start()
  server = grpc.server(thread_pool_executor.shared_unbounded_instance())
  options = PipelineOptions([
      '--environment_type=EXTERNAL',
      '--environment_config=%s' % workers,
      '--experiments=beam_fn_api',
      '--pickle_library=cloudpickle',
  ])
  beam_expansion_api_pb2_grpc.add_ExpansionServiceServicer_to_server(
      expansion_service.ExpansionServiceServicer(options), server)
  beam_artifact_api_pb2_grpc.add_ArtifactRetrievalServiceServicer_to_server(
      artifact_service.ArtifactRetrievalService(
          artifact_service.BeamFilesystemHandler(None).file_reader), server)
  port = server.add_insecure_port('127.0.0.1:0')
  server.start()
  print('expands on port %d' % port, flush=True)
  sys.stdin.read()
  server.stop(1)
  pool.stop(1)


if __name__ == '__main__':
  main()

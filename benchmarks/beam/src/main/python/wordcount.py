"""Counts the words of a file again and again, and says how many seconds each run took,
and how many of processors."""

import argparse
import sys
import time

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions


def count(text, counts, options):
  with beam.Pipeline(options=options) as pipeline:
    (
        pipeline
        | beam.io.ReadFromText(text)
        | beam.FlatMap(str.split)
        | beam.combiners.Count.PerElement()
        | beam.MapTuple(lambda word, number: '%s %d' % (word, number))
        | beam.io.WriteToText(counts, num_shards=1, shard_name_template=''))


def main(args):
  parser = argparse.ArgumentParser()
  parser.add_argument('--text', required=True, help='the file whose words are counted')
  parser.add_argument('--counts', required=True, help='where the counts go; -N is added for run N')
  parser.add_argument('--runs', type=int, required=True)
  given, rest = parser.parse_known_args(args)
  for run in range(given.runs):
    start = time.monotonic()
    cpu = time.process_time()
    options = PipelineOptions(rest, job_name='words-%d' % run)
    count(given.text, '%s-%d' % (given.counts, run), options)
    seconds = time.monotonic() - start
    print('run-%d %.3f %.3f' % (run, seconds, time.process_time() - cpu), flush=True)


if __name__ == '__main__':
  main(sys.argv[1:])

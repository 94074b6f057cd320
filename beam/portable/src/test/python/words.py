"""Counts words: a line of each at the end of a file, and the counter of all of them."""

import argparse
import sys

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.metrics import MetricsFilter
from apache_beam.options.pipeline_options import PipelineOptions


class Split(beam.DoFn):

  def __init__(self):
    self.words = Metrics.counter('words', 'all')

  def process(self, line):
    for word in line.split():
      self.words.inc()
      yield word


class Append(beam.DoFn):

  def __init__(self, path):
    self.path = path

  def process(self, line):
    with open(self.path, 'a') as out:
      out.write(line + '\n')


def fail(word):
  if word == 'fail':
    raise ValueError('this word is not wanted')
  return word


def main(args):
  parser = argparse.ArgumentParser()
  parser.add_argument('--text', required=True)
  parser.add_argument('--lines', required=True)
  given, rest = parser.parse_known_args(args)
  pipeline = beam.Pipeline(options=PipelineOptions(rest))
  (
      pipeline
      | beam.io.ReadFromText(given.text)
      | beam.ParDo(Split())
      | beam.Map(fail)
      | beam.combiners.Count.PerElement()
      | beam.MapTuple(lambda word, count: '%s %d' % (word, count))
      | beam.ParDo(Append(given.lines)))
  result = pipeline.run()
  result.wait_until_finish()
  counted = result.metrics().query(MetricsFilter().with_name('all'))['counters'][0]
  print('attempted %d committed %d' % (counted.attempted, counted.committed))


if __name__ == '__main__':
  main(sys.argv[1:])

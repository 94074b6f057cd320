"""Counts from 0 to before each of some numbers, slowly: a line of each result at the end of a file.

In another file is a line each time that a function begins with a number, or goes on with it.
"""

import argparse
import sys
import time

import apache_beam as beam
from apache_beam.io.restriction_trackers import OffsetRange
from apache_beam.io.restriction_trackers import OffsetRestrictionTracker
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.transforms.core import RestrictionProvider


class Range(RestrictionProvider):

  def initial_restriction(self, end):
    return OffsetRange(0, end)

  def create_tracker(self, restriction):
    return OffsetRestrictionTracker(restriction)

  def restriction_size(self, end, restriction):
    return restriction.size()


def append(path, line):
  with open(path, 'a') as out:
    out.write(line + '\n')


class Slow(beam.DoFn):

  def __init__(self, begun):
    self.begun = begun

  def process(self, end, tracker=beam.DoFn.RestrictionParam(Range())):
    position = tracker.current_restriction().start
    append(self.begun, '%d %d' % (end, position))
    while tracker.try_claim(position):
      yield end, position
      position += 1
      time.sleep(0.02)


def main(args):
  parser = argparse.ArgumentParser()
  parser.add_argument('--lines', required=True)
  parser.add_argument('--begun', required=True)
  given, rest = parser.parse_known_args(args)
  with beam.Pipeline(options=PipelineOptions(rest)) as pipeline:
    (
        pipeline
        | beam.Create([100, 101, 102])
        | beam.ParDo(Slow(given.begun))
        | beam.CombinePerKey(sum)
        | beam.MapTuple(lambda end, total: '%d %d' % (end, total))
        | beam.Map(lambda line: append(given.lines, line)))


if __name__ == '__main__':
  main(sys.argv[1:])

"""Sums numbers by key and window: by a grouping with a view beside it, and by state and timers.

Each result is a line at the end of a file. What is done again after a kill writes the same lines
again.
"""

import argparse
import sys

import apache_beam as beam
from apache_beam.coders import VarIntCoder
from apache_beam.io.restriction_trackers import OffsetRange
from apache_beam.io.restriction_trackers import OffsetRestrictionTracker
from apache_beam.io.watermark_estimators import ManualWatermarkEstimator
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.transforms import userstate
from apache_beam.transforms.core import RestrictionProvider
from apache_beam.transforms.timeutil import TimeDomain
from apache_beam.transforms.window import FixedWindows
from apache_beam.transforms.window import TimestampedValue
from apache_beam.utils.timestamp import Duration
from apache_beam.utils.timestamp import Timestamp

KEYS = 7
WINDOW_MILLIS = 500
FACTOR = 3
PARTS = 2
AT_ONCE = 250


def timestamp(millis):
  return Timestamp(micros=millis * 1000)


class Range(RestrictionProvider):

  def initial_restriction(self, part):
    return OffsetRange(0, (part['end'] - part['first'] + PARTS - 1) // PARTS)

  def create_tracker(self, restriction):
    return OffsetRestrictionTracker(restriction)

  def restriction_size(self, part, restriction):
    return restriction.size()


@beam.DoFn.unbounded_per_element()
class Numbers(beam.DoFn):
  """Gives every second number, each at its own millisecond, so many at once, and then waits."""

  def process(
      self,
      part,
      tracker=beam.DoFn.RestrictionParam(Range()),
      watermark=beam.DoFn.WatermarkEstimatorParam(
          ManualWatermarkEstimator.default_provider())):
    position = tracker.current_restriction().start
    last = position + AT_ONCE
    while tracker.try_claim(position):
      number = part['first'] + position * PARTS
      yield TimestampedValue(number, timestamp(number))
      position += 1
      watermark.set_watermark(timestamp(number + PARTS))
      if position == last:
        tracker.defer_remainder(Duration.of(AT_ONCE * PARTS / part['a_second']))
        return


class Grouped(beam.DoFn):

  def process(
      self, pair, factor, window=beam.DoFn.WindowParam, pane=beam.DoFn.PaneInfoParam):
    key, values = pair
    values = list(values)
    yield 'grouped %d %d %d %d %d' % (
        key, window.start.micros // 1000, len(values), sum(values) * factor, pane.index)


class Counted(beam.DoFn):
  SUM = userstate.CombiningValueStateSpec('sum', sum)
  ALL = userstate.BagStateSpec('all', VarIntCoder())
  END = userstate.TimerSpec('end', TimeDomain.WATERMARK)

  def process(
      self,
      pair,
      window=beam.DoFn.WindowParam,
      summed=beam.DoFn.StateParam(SUM),
      all_values=beam.DoFn.StateParam(ALL),
      end=beam.DoFn.TimerParam(END)):
    summed.add(pair[1])
    all_values.add(pair[1])
    end.set(window.max_timestamp())

  @userstate.on_timer(END)
  def ended(
      self,
      key=beam.DoFn.KeyParam,
      window=beam.DoFn.WindowParam,
      summed=beam.DoFn.StateParam(SUM),
      all_values=beam.DoFn.StateParam(ALL)):
    values = list(all_values.read())
    assert len(values) == len(set(values)), 'a number came twice: %s' % values
    assert sum(values) == summed.read(), 'the states differ'
    yield 'counted %d %d %d' % (key, window.start.micros // 1000, summed.read())


class Append(beam.DoFn):

  def __init__(self, path):
    self.path = path

  def process(self, line):
    with open(self.path, 'a') as out:
      out.write(line + '\n')


def main(args):
  parser = argparse.ArgumentParser()
  parser.add_argument('--lines', required=True)
  parser.add_argument('--numbers', type=int, required=True)
  parser.add_argument('--a_second', type=int, required=True)
  given, rest = parser.parse_known_args(args)
  pipeline = beam.Pipeline(options=PipelineOptions(rest, streaming=True))
  numbers = (
      pipeline
      | beam.Create([{
          'first': part, 'end': given.numbers, 'a_second': given.a_second
      } for part in range(PARTS)])
      | beam.ParDo(Numbers())
      | beam.Map(lambda number: (number % KEYS, number))
      | beam.WindowInto(FixedWindows(WINDOW_MILLIS / 1000)))
  factor = pipeline | 'Factor' >> beam.Create([FACTOR])
  grouped = (
      numbers
      | beam.GroupByKey()
      | beam.ParDo(Grouped(), beam.pvalue.AsSingleton(factor)))
  counted = numbers | beam.ParDo(Counted())
  (grouped, counted) | beam.Flatten() | beam.ParDo(Append(given.lines))
  pipeline.run().wait_until_finish()


if __name__ == '__main__':
  main(sys.argv[1:])

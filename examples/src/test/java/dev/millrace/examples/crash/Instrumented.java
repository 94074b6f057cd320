package dev.millrace.examples.crash;

import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.Log;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

/// Stands between an engine and its log and disks: writes the trace, sets the pace, plants the bug.
///
/// @param stream the stream that is read at a limited pace
/// @param changelog from which commit records are taken out and written later; null for none
record Instrumented(TraceFile trace, String stream, Pace pace, String changelog)
    implements UnaryOperator<Surroundings> {

  @Override
  public Surroundings apply(Surroundings inner) {
    return new Surroundings(
        around(inner.log()),
        new TracedDisks(inner.disks(), trace),
        inner.clock(),
        inner.sources(),
        inner.calls(),
        inner.snapshots());
  }

  private Log around(Log log) {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (proxy, method, arguments) -> {
              Object result = call(log, method, arguments);
              return switch (method.getName()) {
                case "reader" -> reader((SplitReader) result);
                case "writer" -> writer((TransactionalWriter) result);
                default -> result;
              };
            });
  }

  private static Object call(Log log, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(log, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private SplitReader reader(SplitReader inner) {
    return new TracedReader(new PacedReader(inner, stream, pace), trace);
  }

  private TransactionalWriter writer(TransactionalWriter inner) {
    if (stream.equals(ManyKeys.NUMBERS)) {
      return new TracedWriter(new AwaitedCommits(inner), trace, ManyKeys.COUNTS);
    }
    TransactionalWriter writer =
        changelog == null ? inner : new LateCommitRecords(inner, changelog, trace);
    return new TracedWriter(writer, trace, DelayedFlights.DELAYED_AIRPORTS);
  }
}

package dev.millrace.examples.change;

import dev.millrace.examples.crash.ForwardingWriter;
import dev.millrace.spi.Log;
import dev.millrace.spi.TransactionalWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.LockSupport;

/// Lets the thread that records the end of a change stand still for ever at a point, and says so on
/// standard output, so that the process can be killed exactly there.
///
/// @param at where
record Halting(Point at) {
  private static final String VERSIONS = "@versions";

  enum Point {
    /// Nowhere.
    NOWHERE,
    /// The writer is to be opened, which bars all others.
    CLOSED,
    /// The writer is open, and nothing was sent.
    OPEN,
    /// What is recorded was sent, and its commit was not requested.
    SENT,
    /// It is committed.
    RECORDED
  }

  Log around(Log log) {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(log, arguments);
                return method.getName().equals("writer")
                        && arguments[0].toString().endsWith(VERSIONS)
                    ? new Writer((TransactionalWriter) result)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void reached(Point point) {
    if (point == at) {
      System.out.println(point);
      while (true) {
        LockSupport.park(this); // for the kill
      }
    }
  }

  private final class Writer extends ForwardingWriter {
    Writer(TransactionalWriter inner) {
      super(inner);
    }

    @Override
    public void open() {
      reached(Point.CLOSED);
      inner.open();
      reached(Point.OPEN);
    }

    @Override
    public void commit() {
      reached(Point.SENT);
      inner.commit();
    }

    @Override
    public Outcome outcome() {
      Outcome outcome = inner.outcome();
      if (outcome == Outcome.COMMITTED) {
        reached(Point.RECORDED);
      }
      return outcome;
    }
  }
}

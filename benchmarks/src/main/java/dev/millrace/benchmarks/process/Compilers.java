package dev.millrace.benchmarks.process;

/// Options about the compilers of a JVM.
public final class Compilers {
  /// Has a JVM compile with the fast compiler only. Many JVMs that start on few processors would
  /// otherwise take most of their time, for minutes, for compiling.
  public static final String FAST_ONLY = "-XX:TieredStopAtLevel=1";

  private Compilers() {}
}

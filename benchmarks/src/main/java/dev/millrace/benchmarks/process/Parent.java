package dev.millrace.benchmarks.process;

import java.io.IOException;
import java.io.OutputStream;

/// What a process started as a [Child] has of the one that started it.
public final class Parent {
  private Parent() {}

  /// Tells it something; the last that was told under a name counts. Thread-safe.
  public static synchronized void tell(String what, Object value) {
    System.out.println(what + " " + value);
    System.out.flush();
  }

  /// Ends this process when the parent is gone.
  public static void endWithIt() {
    Thread.ofPlatform().daemon().name("parent").start(Parent::awaitEnd);
  }

  private static void awaitEnd() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("Standard input cannot be read, so it has ended: " + e.getMessage());
    }
    System.exit(0);
  }
}

package dev.millrace.internal.kafka;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;

/// An official producer whose sending thread can be held where decision 11 says: it has looked
/// whether a batch is incomplete, and has not yet the lock under which it chooses its next request.
///
/// While it is held, its owner's calls are made by the thread that has the lock. What waits for the
/// sending thread lets it go on: a flush before it begins, anything else when it has given up.
final class HeldProducer implements AutoCloseable {
  private static final String HELD_AT = "nextRequest";

  private final Producer<byte[], byte[]> producer;
  private final Object lock;
  private final Thread sender;
  private final LinkedBlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> isHeld = new CompletableFuture<>();
  private final Thread holder = new Thread(this::hold, "holder");
  private volatile boolean released = true;

  HeldProducer(Producer<byte[], byte[]> producer) {
    this.producer = producer;
    lock = field(producer, "transactionManager");
    sender = (Thread) field(producer, "ioThread");
  }

  private static Object field(Object of, String name) {
    try {
      Field field = of.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Kafka's producer has no '" + name + "' any more.", e);
    }
  }

  /// What the owner uses.
  @SuppressWarnings("unchecked")
  Producer<byte[], byte[]> proxy() {
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (_, method, arguments) -> call(method, arguments));
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("flush") || method.getName().equals("close")) {
      release();
    }
    if (released) {
      return invoke(method, arguments);
    }
    CompletableFuture<Object> result = new CompletableFuture<>();
    calls.add(() -> {
      try {
        result.complete(invoke(method, arguments));
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    });
    try {
      return result.get();
    } catch (ExecutionException e) {
      // It waited for the sending thread in vain; the next try is to find it at work.
      release();
      throw e.getCause();
    }
  }

  private Object invoke(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(producer, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /// Returns when all that was sent is acknowledged and the sending thread is held.
  void holdSender() throws Exception {
    producer.flush();
    released = false;
    holder.start();
    isHeld.get(40, TimeUnit.SECONDS);
  }

  /// The sending thread takes the lock for other things before: it is let go on until it is seen to
  /// wait in the right place.
  private void hold() {
    while (!released) {
      synchronized (lock) {
        // With nothing to send this only wakes it up.
        producer.flush();
        if (senderWaits()) {
          isHeld.complete(null);
          makeCalls();
        }
      }
      Thread.onSpinWait();
    }
  }

  private boolean senderWaits() {
    long start = System.nanoTime();
    while (sender.getState() != Thread.State.BLOCKED) {
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(20)) {
        return false;
      }
      Thread.onSpinWait();
    }
    return Arrays.stream(sender.getStackTrace())
        .findFirst()
        .filter(top -> top.getMethodName().equals(HELD_AT))
        .isPresent();
  }

  private void makeCalls() {
    try {
      while (!released) {
        Runnable call = calls.poll(5, TimeUnit.MILLISECONDS);
        if (call != null) {
          call.run();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void release() {
    released = true;
  }

  @Override
  public void close() throws Exception {
    release();
    holder.join();
  }
}

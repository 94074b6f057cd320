package dev.millrace.api.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A class of its own, so that it can be defined twice.
record Guest(String name, int age) {}

/// A record class of a loader that is gone, as of an application stopped in a server, must not be
/// kept.
class ClassUnloadingTest {
  /// Defines [Guest] anew and leaves everything else to its parent.
  private static final class GuestLoader extends ClassLoader {
    GuestLoader() {
      super(ClassUnloadingTest.class.getClassLoader());
    }

    Class<?> guest() throws IOException {
      String file = Guest.class.getName().replace('.', '/') + ".class";
      try (InputStream in = Objects.requireNonNull(getParent().getResourceAsStream(file))) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        in.transferTo(bytes);
        return defineClass(Guest.class.getName(), bytes.toByteArray(), 0, bytes.size());
      }
    }
  }

  @Test
  void aPlannedRecordDoesNotKeepItsLoader() throws ReflectiveOperationException, IOException {
    WeakReference<ClassLoader> loader = useAndForget();
    for (int i = 0; i < 50 && loader.get() != null; i++) {
      System.gc();
    }
    assertNull(loader.get(), "the loader is still reachable");
  }

  private static WeakReference<ClassLoader> useAndForget()
      throws ReflectiveOperationException, IOException {
    GuestLoader loader = new GuestLoader();
    Class<?> type = loader.guest();
    assertNotSame(Guest.class, type);
    roundTrip(Serdes.forType(type), type);
    roundTrip(Serdes.keyForType(type), type);
    return new WeakReference<>(loader);
  }

  @SuppressWarnings("unchecked")
  private static void roundTrip(Serde<?> serde, Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor(String.class, int.class);
    constructor.setAccessible(true);
    Object guest = constructor.newInstance("Ada", 36);
    Serde<Object> typed = (Serde<Object>) serde;
    byte[] bytes = Samples.bytes(typed, guest);
    Object read = Samples.value(typed, bytes);
    // Not with equals: the JDK's implementation of it for records keeps the class softly.
    assertSame(type, read.getClass());
    assertArrayEquals(bytes, Samples.bytes(typed, read));
  }
}

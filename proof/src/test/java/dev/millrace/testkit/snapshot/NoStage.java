package dev.millrace.testkit.snapshot;

import dev.millrace.spi.DiskStage;
import java.io.InputStream;
import java.util.SortedMap;

/// A stage that nothing may be done with.
final class NoStage implements DiskStage {
  @Override
  public SortedMap<String, Long> files() {
    throw new AssertionError("not to be asked");
  }

  @Override
  public InputStream open(String name) {
    throw new AssertionError("not to be opened: " + name);
  }

  @Override
  public void write(String name, InputStream content) {
    throw new AssertionError("not to be written: " + name);
  }

  @Override
  public void delete(String name) {
    throw new AssertionError("not to be deleted: " + name);
  }

  @Override
  public void publish() {
    throw new AssertionError("not to be published");
  }

  @Override
  public void discard() {
    throw new AssertionError("not to be discarded");
  }

  @Override
  public void close() {}
}

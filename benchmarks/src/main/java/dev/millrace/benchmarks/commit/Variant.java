package dev.millrace.benchmarks.commit;

import dev.millrace.spi.settings.Guarantee;
import dev.millrace.spi.settings.StateConfig.Storage;

/// What is compared.
public enum Variant {
  EXACTLY_ONCE("exactly-once, changelog", Guarantee.EXACTLY_ONCE, true, Storage.DISK),
  WITHOUT_CHANGELOG("exactly-once, no changelog", Guarantee.EXACTLY_ONCE, false, Storage.DISK),
  AT_LEAST_ONCE("at-least-once, changelog", Guarantee.AT_LEAST_ONCE, true, Storage.DISK),
  ON_DISK("on disk, with cache", Guarantee.EXACTLY_ONCE, true, Storage.DISK),
  IN_MEMORY("in memory", Guarantee.EXACTLY_ONCE, true, Storage.MEMORY);

  private final String title;
  private final Guarantee guarantee;
  private final boolean changelog;
  private final Storage storage;

  Variant(String title, Guarantee guarantee, boolean changelog, Storage storage) {
    this.title = title;
    this.guarantee = guarantee;
    this.changelog = changelog;
    this.storage = storage;
  }

  public String title() {
    return title;
  }

  Guarantee guarantee() {
    return guarantee;
  }

  boolean changelog() {
    return changelog;
  }

  Storage storage() {
    return storage;
  }
}

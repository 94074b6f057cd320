package dev.millrace.house.planted.size;

/// A type with three public methods, one of them static.
public interface Wide {
  int one();

  int two();

  static int three() {
    return 3;
  }
}

package dev.millrace.house.planted.doors;

import dev.millrace.house.planted.doors.internal.Hidden;
import java.util.List;

/// Names an internal type wherever one can be named.
public class Shows extends Hidden {
  protected Hidden field = new Hidden();

  public Shows(Hidden inherited) {
    field = inherited;
  }

  public Hidden returned() {
    return field;
  }

  public void taken(Hidden hidden) {
    field = hidden;
  }

  public List<Hidden> inside() {
    return List.of(field);
  }

  protected Hidden inherited() {
    return field;
  }

  Hidden unseen() {
    return field;
  }
}

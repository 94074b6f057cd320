package dev.millrace.internal.engine;

import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.HeldTask;
import dev.millrace.internal.engine.commit.Mailbox;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which worker of a container each task comes to: to the one that has the fewest. Thread-safe.
final class TaskPlaces {
  private final List<Place> places;

  /// The place of each task, by its number.
  private final Map<Integer, Place> ofTasks = new LinkedHashMap<>();

  /// The tasks that were given away since.
  private final Set<Integer> given = new LinkedHashSet<>();

  /// A worker as a member of its group.
  record Place(CommitGroup group, Mailbox member) {}

  TaskPlaces(List<Place> places) {
    this.places = List.copyOf(places);
  }

  synchronized void take(int task, long version, boolean force) {
    Place place = ofTasks.get(task);
    boolean isGone = given.contains(task) && place != null && !isHeld(task, place);
    if (place == null || isGone) {
      place = emptiest();
      ofTasks.put(task, place);
    }
    given.remove(task);
    place.group().take(task, version, force, place.member());
  }

  private static boolean isHeld(int task, Place place) {
    return place.group().held().containsKey(task);
  }

  private Place emptiest() {
    Place found = places.getFirst();
    long fewest = Long.MAX_VALUE;
    for (Place place : places) {
      long tasks = count(place);
      if (tasks < fewest) {
        fewest = tasks;
        found = place;
      }
    }
    return found;
  }

  private long count(Place place) {
    return ofTasks.entrySet().stream()
        .filter(each -> each.getValue().equals(place) && !given.contains(each.getKey()))
        .count();
  }

  synchronized void give(int task) {
    Place place = ofTasks.get(task);
    if (place != null) {
      given.add(task);
      place.group().give(task);
    }
  }

  synchronized void split(int task, int part) {
    Place place = ofTasks.get(task);
    if (place != null) {
      place.group().split(task, part);
    }
  }

  SortedMap<Integer, HeldTask> held() {
    TreeMap<Integer, HeldTask> all = new TreeMap<>();
    for (Place place : places) {
      all.putAll(place.group().held());
    }
    return Collections.unmodifiableSortedMap(all);
  }
}

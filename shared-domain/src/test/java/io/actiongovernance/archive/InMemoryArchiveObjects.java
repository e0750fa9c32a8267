package io.actiongovernance.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Objects in memory; the process can be had die before or after one is put. */
public final class InMemoryArchiveObjects implements ArchiveObjects {
  private final SortedMap<String, byte[]> objects = new TreeMap<>();
  private final Set<String> marked = new TreeSet<>();
  private int puts;
  private int diesAt = Integer.MAX_VALUE;
  private boolean after;
  private final List<String> read = new ArrayList<>();

  /** That the process has died. */
  static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Has the process die at a put, counted from now on. */
  void dieAt(int put, boolean afterIt) {
    puts = 0;
    diesAt = put;
    after = afterIt;
  }

  /** What was asked for since this was asked the last time: names, and beginnings of names. */
  public synchronized List<String> read() {
    List<String> asked = List.copyOf(read);
    read.clear();
    return asked;
  }

  /** What there is, by its name. */
  public SortedMap<String, byte[]> all() {
    return objects;
  }

  /** Hides an object, as a delete marker does. */
  void hide(String name) {
    marked.add(name);
  }

  /** Takes away what hid it. */
  void show(String name) {
    marked.remove(name);
  }

  @Override
  public synchronized void put(String name, byte[] content) {
    dies(false);
    objects.put(name, content.clone());
    marked.remove(name);
    dies(true);
  }

  @Override
  public synchronized boolean putFirst(String name, byte[] content) {
    dies(false);
    boolean first = objects.putIfAbsent(name, content.clone()) == null;
    dies(true);
    return first;
  }

  private void dies(boolean done) {
    if (puts == diesAt && after == done) {
      throw new Died();
    }
    if (done) {
      puts++;
    }
  }

  @Override
  public synchronized Optional<byte[]> get(String name) {
    read.add(name);
    return Optional.ofNullable(objects.get(name)).map(byte[]::clone);
  }

  @Override
  public synchronized List<Named> named(String prefix) {
    read.add(prefix);
    return Stream.concat(objects.keySet().stream(), marked.stream())
        .filter(name -> name.startsWith(prefix))
        .sorted()
        .distinct()
        .map(name -> new Named(name, state(name)))
        .toList();
  }

  private State state(String name) {
    if (!marked.contains(name)) {
      return State.THERE;
    }
    return objects.containsKey(name) ? State.HIDDEN : State.GONE;
  }
}

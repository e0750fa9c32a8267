package io.actiongovernance.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Objects in memory; the process can be had die before or after one is put. */
public final class InMemoryArchiveObjects implements ArchiveObjects {
  private final SortedMap<String, byte[]> objects = new TreeMap<>();
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

  @Override
  public synchronized void put(String name, byte[] content) {
    dies(false);
    objects.put(name, content.clone());
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
  public synchronized List<String> list(String prefix) {
    read.add(prefix);
    return objects.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
  }
}

package io.actiongovernance.simulation;

/** The end of a process: it unwinds one invocation, and no code of the product may catch it. */
final class Crash extends Error {
  private static final long serialVersionUID = 1;

  Crash(String where) {
    super(where, null, false, false);
  }
}

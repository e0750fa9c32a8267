package io.actiongovernance.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * In which stacks the API's functions, paths and methods are. CloudFormation makes nothing in one
 * stack that is in another under the same name, and moves neither versions of functions nor methods
 * between stacks: so a deployment keeps the layout that it was made with (ADR 29).
 */
public enum Layout {
  /** Each group of resources in stacks of its own. */
  BY_GROUP,

  /**
   * What release 1.0 had is where that put it: the functions of its routes in one stack, all paths
   * and methods in one, queues with what works behind the API. Functions of routes that came later
   * are in their groups' stacks.
   */
  OF_1_0;

  /** How an environment's file says that release 1.0 made the deployment. */
  static final String WORD_OF_1_0 = "1.0";

  /**
   * The last of the stacks that the API is made of: what reaches it, and what it answers itself.
   */
  static final String API = "api";

  static final String ROUTES = "routes";
  private static final String SERVICE = "service";

  /** Of the 500 resources that CloudFormation lets a stack have: the rest is room to grow. */
  static final int MOST = 300;

  /** The same of those stacks of release 1.0 that have more. */
  static final int MOST_OF_1_0 = 460;

  private static final Set<String> FUNCTIONS_OF_1_0 = functionsOf10();

  /** The stack of a function that requests start, by what its name ends in. */
  String functions(Part part, String function) {
    return this == OF_1_0 && FUNCTIONS_OF_1_0.contains(function)
        ? ROUTES
        : ROUTES + "-" + part.wire();
  }

  /** The same of the group's paths and methods. */
  String methods(Part part) {
    return this == OF_1_0 ? API : API + "-" + part.wire();
  }

  /** How many resources the stack may have. */
  int most(String stack) {
    return this == OF_1_0 && Set.of(SERVICE, ROUTES, API).contains(stack) ? MOST_OF_1_0 : MOST;
  }

  /** The names of the functions that requests started in release 1.0. */
  static Set<String> functionsOf10() {
    try (InputStream file = Layout.class.getResourceAsStream("functions-of-1.0.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8)
          .lines()
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

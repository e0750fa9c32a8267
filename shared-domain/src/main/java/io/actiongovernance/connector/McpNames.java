package io.actiongovernance.connector;

import java.util.List;

/**
 * The tools of a Model Context Protocol server that the connector's owner wants, by the server's
 * own names, in which {@code *} stands for any characters. If no name is given, all tools are
 * wanted. Immutable.
 */
record McpNames(List<String> globs) {
  McpNames {
    globs = List.copyOf(globs);
  }

  boolean has(String name) {
    return globs.isEmpty() || globs.stream().anyMatch(glob -> meets(glob, name));
  }

  /** Returns the globs that match no name in the list. */
  List<String> unmet(List<String> names) {
    return globs.stream()
        .filter(glob -> names.stream().noneMatch(name -> meets(glob, name)))
        .toList();
  }

  /** Backtracks only to the latest star, so that the product of both lengths bounds the time. */
  private static boolean meets(String glob, String name) {
    int at = 0;
    int star = -1;
    int afterStar = 0;
    int in = 0;
    while (in < name.length()) {
      if (at < glob.length() && glob.charAt(at) == '*') {
        star = at++;
        afterStar = in;
      } else if (at < glob.length() && glob.charAt(at) == name.charAt(in)) {
        at++;
        in++;
      } else if (star >= 0) {
        at = star + 1;
        in = ++afterStar;
      } else {
        return false;
      }
    }
    return glob.substring(at).chars().allMatch(c -> c == '*');
  }
}

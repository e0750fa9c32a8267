package io.actiongovernance.localstack.gov;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;

/** A command that was run in this process, with what it said and the code by which it ended. */
public record Ran(int code, String out, String err) {
  /** Runs it where there is nothing: no variable, no home, no terminal, nobody who types. */
  static Ran of(String... arguments) {
    return in(surroundings(Map.of(), Path.of("/nowhere"), ""), arguments);
  }

  /** Runs it in these surroundings. */
  public static Ran in(Surroundings surroundings, String... arguments) {
    return in(surroundings, new StringWriter(), arguments);
  }

  /**
   * The same, which can be listened to while it runs.
   *
   * @param out where it says what it says
   */
  public static Ran in(Surroundings surroundings, StringWriter out, String... arguments) {
    StringWriter err = new StringWriter();
    int code =
        Gov.commandLine(surroundings)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  /**
   * Surroundings of a test.
   *
   * @param home where a login is kept, and where relative paths begin
   * @param typed what the user types
   */
  public static Surroundings surroundings(
      Map<String, String> environment, Path home, String typed) {
    return new Surroundings(
        environment, home, "Linux", home, false, new BufferedReader(new StringReader(typed)));
  }
}

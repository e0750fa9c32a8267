package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.client.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that lists objects of the API, one in each line. */
abstract class ListCommand implements Callable<Integer> {
  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number to list, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  /** The path of the list. */
  abstract String path();

  /** Further query parameters, made by {@link #filter}. */
  abstract String filters();

  abstract String line(JsonNode one);

  /** Returns a query parameter; empty if no value was given. */
  static String filter(String name, @Nullable String value) {
    return value == null ? "" : "&" + name + "=" + Api.encoded(value);
  }

  @Override
  public Integer call() throws Exception {
    if (limit < 1 || limit > 100) {
      throw Failure.wrongUse("--limit must be between 1 and 100.");
    }
    JsonNode page = connection.api().get(path() + "?limit=" + limit + filters());
    List<String> lines = new ArrayList<>();
    page.path("data").forEach(one -> lines.add(line(one)));
    if (lines.isEmpty()) {
      lines.add("There are none.");
    } else if (page.path("has_more").booleanValue()) {
      lines.add("There are more: --limit shows up to 100.");
    }
    output.say(page, lines);
    return ExitCode.DONE;
  }
}

package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Lambda's lists: of functions, of a function's versions, and of its aliases. All on one page. */
final class FunctionLists extends Handler.Abstract {
  private static final Pattern LIST =
      Pattern.compile("/2015-03-31/functions/?(?:([^/]+)/(versions|aliases))?");

  private final Configurations configurations;
  private final Code code;

  FunctionLists(Configurations configurations, Code code) {
    this.configurations = configurations;
    this.code = code;
  }

  /** Whether it is a request for one of them. */
  static boolean answers(Request request) {
    return request.getMethod().equals("GET")
        && LIST.matcher(request.getHttpURI().getPath()).matches();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Matcher path = LIST.matcher(request.getHttpURI().getPath());
    if (!path.matches()) {
      return false;
    }
    response.getHeaders().put("Content-Type", "application/json");
    Content.Sink.write(response, true, Json.write(list(path.group(1), path.group(2))), callback);
    return true;
  }

  private ObjectNode list(@Nullable String function, @Nullable String of) {
    ObjectNode answer = Json.object();
    if (function == null) {
      ArrayNode functions = answer.putArray("Functions");
      configurations.names().forEach(name -> functions.addObject().put("FunctionName", name));
    } else if ("versions".equals(of)) {
      ArrayNode versions = answer.putArray("Versions");
      code.versions(function)
          .forEach(
              version ->
                  versions
                      .addObject()
                      .put("FunctionName", function)
                      .put("Version", version.number()));
    } else {
      ArrayNode aliases = answer.putArray("Aliases");
      code.aliases()
          .forEach(
              (name, version) -> {
                if (version.function().equals(function)) {
                  aliases
                      .addObject()
                      .put("Name", name.substring(name.indexOf(':') + 1))
                      .put("FunctionVersion", version.number());
                }
              });
    }
    return answer;
  }
}

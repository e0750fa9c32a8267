package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "version",
    description = "Shows the release of gov, and the latest revision of the service's API.")
final class VersionCommand implements Callable<Integer> {
  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    String release = release();
    ObjectNode answer = Json.object().put("gov", release);
    List<String> lines = new ArrayList<>(List.of("gov " + release));
    Optional<Api> api = connection.apiIfAny();
    if (api.isPresent()) {
      String url = api.get().baseUrl().toString();
      String revision = latest(api.get().get("/v1/revisions?limit=100"));
      answer.putObject("service").put("url", url).put("revision", revision);
      lines.add("service " + url + " revision " + revision);
    }
    output.say(answer, lines);
    return ExitCode.DONE;
  }

  private static String latest(JsonNode revisions) {
    for (JsonNode revision : revisions.path("data")) {
      if (revision.path("latest").booleanValue()) {
        return revision.path("date").asText();
      }
    }
    return "unknown";
  }

  private static String release() throws IOException {
    Properties build = new Properties();
    try (InputStream in = VersionCommand.class.getResourceAsStream("/gov.properties")) {
      if (in == null) {
        throw new IOException("This build of gov does not say its release.");
      }
      build.load(in);
    }
    return Objects.requireNonNull(build.getProperty("release"));
  }
}

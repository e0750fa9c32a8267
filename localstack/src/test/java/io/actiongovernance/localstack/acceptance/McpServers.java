package io.actiongovernance.localstack.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.fixture.Npm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/**
 * Model Context Protocol servers of npm's SDK, of the newest revision and those before it, in one
 * process: {@code src/test/npm/mcp-server/upstream.mjs} says which. Thread-safe.
 */
final class McpServers implements AutoCloseable {
  private static final Path INSTALLED = Path.of("target/npm-mcp-server");
  private static final Path FROM = Path.of("src/test/npm").toAbsolutePath();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process node;
  private final String url;

  private McpServers(Process node, String url) {
    this.node = node;
    this.url = url;
  }

  /** Starts them; the test is skipped where they could not be installed. */
  static McpServers start() throws IOException, InterruptedException {
    Npm.Said said =
        Npm.run(
            new ProcessBuilder(
                "sh",
                FROM.resolve("install").toString(),
                INSTALLED.toString(),
                FROM.resolve("mcp-server").toString()));
    assertThat(said.status()).as(said.text()).isZero();
    Npm.file(INSTALLED, "@modelcontextprotocol/server/package.json");
    Process node =
        new ProcessBuilder("node", "--input-type=module", "-")
            .directory(INSTALLED.toFile())
            .redirectInput(FROM.resolve("mcp-server/upstream.mjs").toFile())
            .redirectError(INSTALLED.resolve("upstream.log").toFile())
            .start();
    BufferedReader lines = new BufferedReader(new InputStreamReader(node.getInputStream(), UTF_8));
    String port = lines.readLine();
    assertThat(port).as("see upstream.log in %s", INSTALLED).isNotNull();
    return new McpServers(node, "http://127.0.0.1:" + port);
  }

  /** What one test has of them: tools of its own, and what these were called for. */
  final class Home {
    private final String name = Given.unique("home");

    /** Where it is spoken in one of the ways that there are. */
    String url(String way) {
      return url + "/" + name + "/" + way;
    }

    /** From now on it lists these. */
    void list(ObjectNode... tools) {
      ArrayNode all = Json.object().arrayNode();
      for (ObjectNode tool : tools) {
        all.add(tool);
      }
      send(
          HttpRequest.newBuilder(URI.create(url("tools")))
              .PUT(HttpRequest.BodyPublishers.ofString(Json.write(all))));
    }

    /** From now on it is spoken in this way, wherever. */
    void speak(String way) {
      send(
          HttpRequest.newBuilder(URI.create(url("way")))
              .PUT(HttpRequest.BodyPublishers.ofString(Json.write(way))));
    }

    /** Each call with its {@code tool}, {@code args} and {@code meta}, in order. */
    List<JsonNode> calls() {
      return state().path("calls").valueStream().toList();
    }

    /** Sessions that were opened and not closed. */
    int sessions() {
      return state().path("sessions").asInt();
    }

    private JsonNode state() {
      return Json.read(send(HttpRequest.newBuilder(URI.create(url("calls"))).GET()));
    }

    private String send(HttpRequest.Builder request) {
      try {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  /** A tool that takes any arguments. */
  static ObjectNode tool(String name) {
    ObjectNode tool = Json.object().put("name", name).put("description", "Does as it is told.");
    tool.putObject("inputSchema").put("type", "object");
    return tool;
  }

  @Override
  public void close() {
    node.destroy();
    http.close();
  }
}

package io.actiongovernance.connector;

import static io.actiongovernance.outcome.Outcomes.done;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/connectors.md} shows can be installed, and comes to what it says. */
class ConnectorDocsTest {
  private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

  private final ConnectorFixture it = new ConnectorFixture();

  private static List<ObjectNode> examples() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "connectors.md"));
    return EXAMPLE
        .matcher(page)
        .results()
        .map(found -> (ObjectNode) Json.read(found.group(1)))
        .toList();
  }

  private Connector install(String listing) throws IOException {
    ObjectNode body =
        examples().stream()
            .filter(one -> one.path("listing_id").asText().equals(listing))
            .findFirst()
            .orElseThrow();
    return done(
        it.installations.install(
            it.caller(null), it.newId(), ConnectorFixture.wanted(new Fields(body, "", true))));
  }

  @Test
  void theBindingExampleGivesTheDocumentedFacts() throws IOException {
    Connector shop = install("cn-http");
    JsonNode call = examples().get(1);
    JsonNode shown = examples().get(2);
    Tool tool = shop.tool(call.path("tool").asText()).orElseThrow();
    JsonNode args = call.path("args");
    assertThat(tool.argumentProblem(args)).isEmpty();
    assertThat(tool.binds().entityOf(args))
        .contains(new EntityKey(shown.path("entity_key").asText()));
    assertThat(tool.binds().valueOf(args))
        .hasToString("Optional[" + shown.at("/value").asText() + "]");
    assertThat(tool.binds().currencyOf(args)).contains(shown.path("currency").asText());
    assertThat(Summary.of(tool, args)).isEqualTo(shown.path("summary").asText());
    assertThat(shop.settle()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void theMcpServerExampleIsReadAsItsConfigSays() throws IOException {
    List<McpTool> listed =
        Stream.of("readOrder", "refund", "cancelRefund")
            .map(name -> ConnectorFixture.json("{'name':'" + name + "','inputSchema':{}}"))
            .map(McpTool::read)
            .flatMap(Optional::stream)
            .toList();
    it.finding = new Finding.Passed(Duration.ZERO, listed);
    Connector desk = install("cn-mcp");
    assertThat(desk.tools())
        .extracting(Tool::name)
        .containsExactly("desk.read_order", "desk.refund", "desk.cancel_refund");
    assertThat(desk.isRead(desk.tools().getFirst())).isTrue();
    assertThat(desk.tools().get(1).binds().any()).isTrue();
    assertThat(desk.tools().get(1).inverse()).isNotNull();
    assertThat(desk.isErrorMeansNothingHappened(desk.tools().get(2))).isTrue();
  }
}

package io.actiongovernance.functions.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log of a deployed function, as {@code src/main/lambda/logback.xml} has it. */
final class DeployedLogTest {
  private final LoggerContext context = new LoggerContext();
  private final LogbackMDCAdapter mdc = new LogbackMDCAdapter();

  private List<JsonNode> logged(Runnable logging) throws JoranException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      context.setMDCAdapter(mdc);
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(Path.of("src/main/lambda/logback.xml").toFile());
      logging.run();
      context.stop();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(UTF_8).lines().map(Json::read).toList();
  }

  @Test
  void aLogLineIsOneObjectWithTheRequestsIdentifiers() throws JoranException {
    mdc.put("request_id", "req_1");
    mdc.put("plan_id", "pl_1");
    List<JsonNode> lines =
        logged(
            () ->
                context
                    .getLogger("io.actiongovernance.kernel.Sweep")
                    .atError()
                    .setCause(new IllegalStateException("broken on\npurpose"))
                    .addKeyValue("id", "act_1")
                    .log("It failed"));
    assertThat(lines).hasSize(1);
    JsonNode line = lines.getFirst();
    assertThat(line.path("level").textValue()).isEqualTo("ERROR");
    assertThat(line.path("formattedMessage").textValue()).isEqualTo("It failed");
    assertThat(line.at("/mdc/request_id").textValue()).isEqualTo("req_1");
    assertThat(line.at("/mdc/plan_id").textValue()).isEqualTo("pl_1");
    assertThat(line.at("/kvpList/0/id").textValue()).isEqualTo("act_1");
    assertThat(line.at("/throwable/message").textValue()).isEqualTo("broken on\npurpose");
  }

  @Test
  void librariesDoNotLogRequests() throws JoranException {
    List<JsonNode> lines =
        logged(
            () -> {
              context.getLogger("org.apache.hc.client5.http.wire").debug("Authorization: secret");
              context.getLogger("software.amazon.awssdk.request").info("Authorization: secret");
            });
    assertThat(lines).isEmpty();
  }
}

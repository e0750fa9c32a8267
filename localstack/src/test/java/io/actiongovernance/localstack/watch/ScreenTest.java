package io.actiongovernance.localstack.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.watch.Screen.Kind;
import io.actiongovernance.localstack.watch.Screen.Mood;
import io.actiongovernance.localstack.watch.Screen.Style;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How lines are written. */
final class ScreenTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:44:07.412Z");

  private static String line(Style style, JsonNode data, String text) {
    StringWriter out = new StringWriter();
    new Screen(new PrintWriter(out), style, () -> NOW).line(Kind.EVENT, Mood.NEW, data, text);
    return out.toString();
  }

  @Test
  void plainOutputIsOneLine() {
    assertThat(line(Style.PLAIN, Json.object(), "order.created"))
        .matches("\\d\\d:44:07\\.412  event   order\\.created\n");
  }

  @Test
  void controlCharactersOfAnEventAreReplaced() {
    String line = line(Style.COLOURED, Json.object(), "evil\033[2J\u0007\u202e\r\nnext");
    assertThat(line)
        .contains("\033[1;36mevent")
        .endsWith("evil\ufffd[2J\ufffd\ufffd\ufffd\ufffdnext\n");
  }

  @Test
  void jsonOutputIsOneObject() {
    assertThat(Json.read(line(Style.JSON, Json.object().put("event_id", "ev_1"), "a\nb")))
        .isEqualTo(Json.read("{\"kind\":\"event\",\"data\":{\"event_id\":\"ev_1\"}}"));
  }
}

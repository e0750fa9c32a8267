package io.actiongovernance.functions.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Finding an answer in what a server sends. */
class McpAnswerTest {
  private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"text\":\"ä\"}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data: A||",
        "event: message|id: 7|data:A||data: more||",
        ": ping||data: {\"method\":\"notifications/message\"}||data: A||",
        "data: {\"id\":1,\"result\":{}}||data: {\"id\":2,\"method\":\"ping\"}||data: A||",
        "data: no JSON||data: A||",
      })
  void anAnswerEndsAStreamCutAtAnyPlace(String stream) {
    for (String end : new String[] {"\n", "\r\n", "\r"}) {
      String text = stream.replace("|", end).replace("A", ANSWER);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (int cut : new int[] {1, 3, bytes.length}) {
        McpAnswer answer = new McpAnswer(2, 1 << 20);
        boolean enough = false;
        for (int at = 0; at < bytes.length && !enough; at += cut) {
          byte[] part = Arrays.copyOfRange(bytes, at, Math.min(at + cut, bytes.length));
          enough = answer.after(part, part.length);
        }
        assertThat(enough).as(text).isTrue();
        assertThat(answer.in(text)).contains(Json.read(ANSWER));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFEFFdata: A||",
        "\uFEFF\ndata: A||",
        "event: message|data: A|",
        "data: A",
        ": ping||data: {\"id\":1,\"result\":{}}||data: A",
      })
  void aStreamMayBeginWithAMarkAndEndWithoutABlankLine(String stream) {
    String text = stream.replace("|", "\n").replace("A", ANSWER);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    McpAnswer answer = new McpAnswer(2, 1 << 20);
    answer.after(bytes, bytes.length);
    assertThat(answer.in(text)).contains(Json.read(ANSWER));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":2.0,\"result\":{}} | true",
        "{\"id\":\"2\",\"result\":{}} | true",
        "{\"id\":2.5,\"result\":{}} | false",
        "{\"id\":\"02\",\"result\":{}} | false",
        "{\"id\":2,\"result\":{\"a\":\"\\ud83d\",\"a\":1e999}} | true",
        "{\"id\":2,\"result\":{}} | true",
        "{\"id\":2,\"error\":{\"code\":-32602}} | true",
        "{\"id\":3,\"result\":{}} | false",
        "{\"id\":2} | false",
        "[] | false",
        "nothing | false",
      })
  void aBodyIsTheAnswerIfItsIdMatches(String body, boolean found) {
    McpAnswer answer = new McpAnswer(2, 1 << 20);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(answer.after(bytes, bytes.length)).isFalse();
    assertThat(answer.in(body).isPresent()).isEqualTo(found);
  }
}

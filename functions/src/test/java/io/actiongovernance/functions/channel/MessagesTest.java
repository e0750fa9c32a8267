package io.actiongovernance.functions.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.channel.Notification;
import io.actiongovernance.channel.Notification.Said;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is said in Slack and by mail: what an agent says stays what it said, and makes neither link,
 * mention nor format (contract for people, section 5).
 */
final class MessagesTest {
  private static final URI LINK =
      URI.create("https://gov.acme.example/console?plan=pl_01jd0000000000000000000000");

  private static final String HOSTILE =
      "Refund <!channel> <https://evil.example/a|Approve> *now* & _here_ ~x~ `y` @here #all";

  private static Notification notification(String agentsText) {
    return new Notification(
        "Approval requested",
        List.of(
            new Said("What", agentsText, true),
            new Said("Value", "420.00 USD", false),
            new Said("Tier", "2", false),
            new Said("Operator", "refund-desk", false),
            new Said("Asked for by", "shop-bot (key)", false),
            new Said("Until", "2026-11-26 03:16 UTC", false)),
        LINK);
  }

  private static String recorded(String name) throws IOException {
    try (InputStream in = MessagesTest.class.getResourceAsStream("/channel/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
    }
  }

  private static JsonNode slack(String agentsText) {
    return Json.read(SlackMessage.of(notification(agentsText)));
  }

  @Test
  void theSlackMessageOfAHeldPlanIsAsRecorded() throws IOException {
    assertThat(slack("Refund 420.00 of order 1042")).isEqualTo(Json.read(recorded("slack.json")));
  }

  @Test
  void theSlackMessageOfHostileTextIsAsRecorded() throws IOException {
    assertThat(slack(HOSTILE)).isEqualTo(Json.read(recorded("slack-hostile.json")));
  }

  @Test
  void theMailOfAHeldPlanIsAsRecorded() throws IOException {
    MailMessage mail = MailMessage.of(notification("Refund 420.00 of order 1042"), "dlv_1");
    assertThat("Subject: " + mail.subject() + "\n\n" + mail.text()).isEqualTo(recorded("mail.txt"));
  }

  @Test
  void aSlackMessageHasOnlyTheServicesOwnMarkup() {
    JsonNode message = slack(HOSTILE);
    String ownLink = "<" + LINK + "|Open the console>";
    for (JsonNode text : message.findValues("text")) {
      if (text.isTextual()) {
        String rest = text.textValue().replace(ownLink, "");
        assertThat(rest).doesNotContain("<", ">").doesNotContainPattern("&(?!amp;|lt;|gt;)");
      }
    }
    for (JsonNode block : message.path("blocks")) {
      if (block.toString().contains("Refund")) {
        assertThat(block.at("/text/type").asText()).isEqualTo("plain_text");
        assertThat(block.at("/text/emoji").booleanValue()).isFalse();
      }
    }
    String line = message.path("text").textValue();
    assertThat(line.substring(line.indexOf("What"), line.indexOf("Value")))
        .doesNotContain("*", "_", "~", "`", "@", "#", "://");
    assertThat(message.path("parse").asText()).isEqualTo("none");
    assertThat(message.path("link_names").booleanValue()).isFalse();
    assertThat(message.path("unfurl_links").booleanValue()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "https://evil.example/a?b=c, https[:]//evil[.]example/a?b=c",
    "HTTPS://EVIL.EXAMPLE, HTTPS[:]//EVIL[.]EXAMPLE",
    "www.evil.example, www[.]evil[.]example",
    "mail a@evil.example, mail a@evil[.]example",
    "mailto:a, mailto[:]a",
    "10.0.0.1, 10[.]0[.]0[.]1",
    "evil。example, evil[。]example",
    "42.00 of 1042., 42.00 of 1042.",
    "Done. Next, Done. Next",
  })
  void noTextBecomesALink(String given, String shown) {
    assertThat(Harmless.line(given)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x202e, 0x202a, 0x2066, 0x2069, 0x200b, 0x200d, 0xfeff, 0xad, 0x61c, 0, 7, 0x1b, 0x3164,
        0x115f, 0x2800, 0xfe0f, 0xe0041, 0xe0101, 0xe000
      })
  void invisibleCharactersAreNamed(int point) {
    String shown = Harmless.line("a" + Character.toString(point) + "b");
    assertThat(shown).isEqualTo("a[U+%04X]b".formatted(point));
  }

  @Test
  void marksThatOverlapOtherLinesAreNamed() {
    String shown = Harmless.line("a" + "\u0300".repeat(6) + "b\u0301");
    assertThat(shown).isEqualTo("a" + "\u0300".repeat(4) + "[U+0300][U+0300]b\u0301");
  }

  @Test
  void everyLineBreakInATextBecomesASpace() {
    String broken = "a\nUntil: never\r\nb\u2028c\u2029d\u0085e\tf\u00a0g";
    assertThat(Harmless.line(broken)).isEqualTo("a Until: never b c d e f g");
    MailMessage mail = MailMessage.of(notification(broken), "dlv_1");
    assertThat(mail.subject()).doesNotContainPattern("[\\p{Cntrl}\\u2028\\u2029]");
    assertThat(mail.text().lines().filter(line -> line.startsWith("Until:"))).hasSize(1);
  }

  @Test
  void aLongTextIsCutBetweenCharacters() {
    for (String one : List.of("x", "<", "&", "\ud83d\ude42", "\u202e", "a\u0301")) {
      String message = SlackMessage.of(notification(one.repeat(10_000)));
      JsonNode read = Json.read(message);
      for (JsonNode block : read.path("blocks")) {
        assertThat(block.at("/text/text").asText().length()).isLessThanOrEqualTo(3_000);
        block
            .path("fields")
            .forEach(field -> assertThat(field.path("text").asText().length()).isLessThan(2_000));
      }
      assertThat(read.path("text").asText().length()).isLessThan(40_000);
      assertThat(UTF_8.newEncoder().canEncode(read.toString())).isTrue();
      MailMessage mail = MailMessage.of(notification(one.repeat(10_000)), "dlv_1");
      assertThat(mail.subject().length()).isLessThanOrEqualTo(320);
      assertThat(mail.text().length()).isLessThan(10_000);
    }
  }

  @Test
  void textFromTheAgentIsLabelledAsSuch() {
    String label = "What (from what the agent said)";
    assertThat(MailMessage.of(notification("Refund"), "dlv_1").text())
        .contains(label + ": Refund\n");
    assertThat(slack("Refund").at("/blocks/1/text/text").asText()).isEqualTo(label + "\nRefund");
    assertThat(slack("Refund").findValuesAsText("text")).contains("Operator\nrefund-desk");
  }
}

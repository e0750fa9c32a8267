package io.actiongovernance.functions.channel;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.channel.Notification;
import io.actiongovernance.json.Json;

/**
 * The message for Slack's incoming webhook. Its blocks show foreign texts as plain text, in which
 * Slack interprets no markup. An additional text is shown where blocks are not. All text is escaped
 * as Slack requires. Stateless.
 */
final class SlackMessage {
  /**
   * The maximum length of a title in characters. Even if every character is escaped, the text is
   * short enough for Slack, so no escape is truncated.
   */
  private static final int TITLE = 100;

  private static final int FIELD = 400;
  private static final int SECTION = 600;

  private static final String EMOJI = ":([A-Za-z0-9_+'-]+):";

  private SlackMessage() {}

  static String of(Notification notification) {
    ObjectNode message = Json.object().put("text", line(notification));
    // Keep Slack from making links of addresses, names or channels.
    message
        .put("parse", "none")
        .put("link_names", false)
        .put("unfurl_links", false)
        .put("unfurl_media", false);
    ArrayNode blocks = message.putArray("blocks");
    blocks.addObject().put("type", "header").set("text", plain(notification.title(), TITLE));
    ArrayNode fields = blocks.arrayNode();
    for (Notification.Said said : notification.said()) {
      String labelled = Words.label(said) + "\n" + Harmless.line(said.text());
      if (said.ofAgent()) {
        blocks.addObject().put("type", "section").set("text", plain(labelled, SECTION));
      } else {
        fields.add(plain(labelled, FIELD));
      }
    }
    blocks.addObject().put("type", "section").set("fields", fields);
    blocks
        .addObject()
        .put("type", "section")
        .set("text", own("<" + escaped(notification.link().toString()) + "|" + Words.OPEN + ">"));
    blocks.addObject().put("type", "context").putArray("elements").add(plain(Words.NO_KEY, FIELD));
    return Json.write(message);
  }

  /** The text that Slack shows where it shows no blocks, such as in notifications. */
  private static String line(Notification notification) {
    StringBuilder line = new StringBuilder("*" + escaped(notification.title()) + "*");
    for (Notification.Said said : notification.said()) {
      line.append("\n")
          .append(escaped(Words.label(said)))
          .append(": ")
          .append(unformatted(escaped(cut(Harmless.line(said.text()), FIELD))));
    }
    return line + "\n<" + escaped(notification.link().toString()) + "|" + Words.OPEN + ">";
  }

  private static ObjectNode plain(String text, int longest) {
    return Json.object()
        .put("type", "plain_text")
        .put("text", escaped(cut(text, longest)))
        .put("emoji", false);
  }

  /** Formats the service's own words. No other text has markup. */
  private static ObjectNode own(String markup) {
    return Json.object().put("type", "mrkdwn").put("text", markup).put("verbatim", true);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Replaces formatting characters by similar ones, because Slack cannot escape them. */
  private static String unformatted(String text) {
    return text.replace('*', '\u2217')
        .replace('_', '\uff3f')
        .replace('~', '\u223c')
        .replace('`', '\u02cb')
        .replace('@', '\uff20')
        .replace('#', '\uff03')
        .replaceAll(EMOJI, "\ua789$1:");
  }

  private static String cut(String text, int longest) {
    return text.codePointCount(0, text.length()) <= longest
        ? text
        : text.substring(0, text.offsetByCodePoints(0, longest - 1)) + "…";
  }
}

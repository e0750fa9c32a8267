package io.actiongovernance.functions.channel;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.channel.Notification;
import io.actiongovernance.json.Json;

/**
 * What an incoming webhook of Slack is posted: blocks, whose texts of anybody's are plain ones, in
 * which Slack looks for no markup; and a line for where blocks are not shown. All of it is escaped
 * as Slack asks for. Stateless.
 */
final class SlackMessage {
  /**
   * The most characters of a text, so that none is too long for Slack with each of them escaped,
   * and no escape is cut.
   */
  private static final int TITLE = 100;

  private static final int FIELD = 400;
  private static final int SECTION = 600;

  private static final String EMOJI = ":([A-Za-z0-9_+'-]+):";

  private SlackMessage() {}

  static String of(Notification notification) {
    ObjectNode message = Json.object().put("text", line(notification));
    // Nothing is made of what looks like a link, a name or a channel.
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

  /** What is shown where blocks are not: in a notification, say. */
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

  /** The service's own words, the only ones with markup. */
  private static ObjectNode own(String markup) {
    return Json.object().put("type", "mrkdwn").put("text", markup).put("verbatim", true);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The same without what formats text: Slack knows no way to escape it. */
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

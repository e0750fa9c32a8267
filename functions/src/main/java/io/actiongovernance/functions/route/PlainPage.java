package io.actiongovernance.functions.route;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/**
 * A page of text in the console's style, for browsers that run no script. The style is inline and
 * permitted by its hash, so the page loads nothing, whichever host or path serves it. Immutable.
 *
 * @param loads the resources it may load, as content security policy directives
 */
public record PlainPage(String html, String loads) {
  private static final String STYLE = "/console/style.css.gz";

  private static final String MARK =
      "<svg class=\"mark\" viewBox=\"0 0 32 32\" aria-hidden=\"true\"><rect width=\"32\" height=\"32\" rx=\"9\"/><path d=\"M9 16.5l5 5 9-11\"/></svg>";

  /**
   * A page with a short text in the middle.
   *
   * @param body HTML
   */
  public static PlainPage card(String title, String body) {
    return of(
        title, "<main class=\"sign-in\"><div class=\"card\">" + MARK + body + "</div></main>");
  }

  /**
   * A page of text that starts at the top.
   *
   * @param body HTML
   */
  public static PlainPage text(String title, String body) {
    return of(title, "<main class=\"plain page\">" + body + "</main>");
  }

  private static PlainPage of(String title, String main) {
    String style = style();
    String html =
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>%s</title>
        <link rel="icon" href="data:,">
        <style>%s</style>
        </head>
        <body>
        %s
        </body>
        </html>
        """
            .formatted(title, style, main);
    return new PlainPage(
        html, Reply.Page.NOTHING + "; img-src data:; style-src 'sha256-" + hash(style) + "'");
  }

  public static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  public Reply reply() {
    return new Reply.Page(html, loads);
  }

  private static String style() {
    try (InputStream packed = PlainPage.class.getResourceAsStream(STYLE);
        InputStream in = new GZIPInputStream(Objects.requireNonNull(packed, STYLE))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}

package io.actiongovernance.localstack.issuer;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The pages of the local stack's issuer. Stateless. */
final class DevPages {
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Who are you?</title>
      <style>
        :root { color-scheme: light dark }
        body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem }
        li { margin: .5rem 0 }
      </style>
      %s
      </html>
      """;

  private DevPages() {}

  /**
   * Who the browser is of.
   *
   * @param url where it says so; of characters that HTML leaves as they are, but for {@code &}
   */
  static String choice(String url) {
    String here = url.replace("&", "&amp;");
    String people =
        Arrays.stream(DevPerson.values())
            .map(
                one ->
                    "<li><a href=\"%s&amp;person=%s\">%s</a>, who %s</li>"
                        .formatted(here, one.wire(), one.fullName(), one.what()))
            .collect(Collectors.joining("\n"));
    return PAGE.formatted(
        """
        <h1>Who are you?</h1>
        <p>The issuer of the local stack believes what it is told. There is none like it anywhere else.</p>
        <ul>
        %s
        </ul>
        <p><a href="%s&amp;person=nobody">None of these</a></p>"""
            .formatted(people, here));
  }

  /** Who asks is not known, so that nobody is sent back there. */
  static String refusal() {
    return PAGE.formatted(
        """
        <h1>Not known here</h1>
        <p>The only client is <code>governance</code>, and it comes back to the callbacks of this stack alone.</p>""");
  }
}

package io.actiongovernance.localstack.issuer;

import io.actiongovernance.functions.route.PlainPage;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The pages of the local stack's issuer. Stateless. */
final class DevPages {
  private static final String TITLE = "Who are you?";

  private DevPages() {}

  /**
   * Asks the user which person they are.
   *
   * @param url receives the choice; HTML need not escape its characters, except {@code &}
   */
  static PlainPage choice(String url) {
    String here = url.replace("&", "&amp;");
    String people =
        Arrays.stream(DevPerson.values())
            .map(
                one ->
                    "<li><a href=\"%s&amp;person=%s\">%s</a><span class=\"small muted\">, who %s</span></li>"
                        .formatted(here, one.wire(), one.fullName(), one.what()))
            .collect(Collectors.joining("\n"));
    return PlainPage.card(
        TITLE,
        """
        <h1>Who are you?</h1>
        <p>This issuer signs you in as the person that you choose. Only the local stack has one.</p>
        <ul class="lines">
        %s
        </ul>
        <p class="small"><a href="%s&amp;person=nobody">None of these</a></p>"""
            .formatted(people, here));
  }

  /** Refuses a request of an unknown client, without sending the browser back to that client. */
  static PlainPage refusal() {
    return PlainPage.card(
        TITLE,
        """
        <h1>Unknown client or callback</h1>
        <p>The only client is <code>governance</code>, and its callbacks must be those of this stack.</p>""");
  }
}

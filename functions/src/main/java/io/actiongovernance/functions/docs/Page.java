package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.route.PlainPage;
import io.actiongovernance.functions.route.Reply;

/** A page of text and tables, for people. Stateless. */
final class Page {
  private Page() {}

  /** Returns the page with this heading, and this HTML below it. */
  static Reply of(String heading, String html) {
    return PlainPage.text(heading, "<h1>" + heading + "</h1>\n" + html).reply();
  }
}

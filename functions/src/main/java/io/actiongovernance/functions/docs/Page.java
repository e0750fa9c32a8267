package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.route.Reply;

/** A page of text and tables, for people. Stateless. */
final class Page {
  private Page() {}

  /** The page with this heading and, below it, this HTML. */
  static Reply of(String heading, String html) {
    String page =
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <title>%1$s</title>
        <h1>%1$s</h1>
        %2$s
        </html>
        """
            .formatted(heading, html);
    return new Reply.Page(page, Reply.Page.NOTHING);
  }
}

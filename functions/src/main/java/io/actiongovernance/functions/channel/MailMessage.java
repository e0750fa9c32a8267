package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Notification;

/**
 * The content of a mail: a one-line subject and a plain text.
 *
 * @param id the {@code Message-ID} without the host; unchanged if the mail is sent again
 */
record MailMessage(String id, String subject, String text) {
  private static final int LONGEST_SUBJECT = 150;

  static MailMessage of(Notification notification, String id) {
    StringBuilder text = new StringBuilder(notification.title()).append("\n\n");
    for (Notification.Said said : notification.said()) {
      text.append(Words.label(said)).append(": ").append(Harmless.line(said.text())).append('\n');
    }
    text.append('\n')
        .append(Words.OPEN)
        .append(":\n")
        .append(notification.link())
        .append("\n\n")
        .append(Words.NO_KEY)
        .append('\n');
    return new MailMessage(id, subject(notification), text.toString());
  }

  private static String subject(Notification notification) {
    String first =
        notification.said().isEmpty()
            ? ""
            : ": " + Harmless.line(notification.said().getFirst().text());
    String subject = notification.title() + first;
    return subject.codePointCount(0, subject.length()) <= LONGEST_SUBJECT
        ? subject
        : subject.substring(0, subject.offsetByCodePoints(0, LONGEST_SUBJECT)) + "…";
  }
}

package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.WantedLine;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.json.Given;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a channel by which messages are sent, in requests. */
record LineForm(
    @Field(
            doc =
                "For `slack`, the URL of an incoming webhook: HTTPS, at an address outside the"
                    + " network. Write-only; kept encrypted.",
            max = 2_000,
            format = "uri",
            published = "^https://",
            example = "https://hooks.example/services/T0/B0/shownOnceAndNeverAgain")
        @Nullable String url,
    @Field(doc = "For `email`, the mail server, outside the network.", max = 253)
        @Nullable String host,
    @Field(
            doc = "For `email`, the port: 465 for TLS from the first byte, or 587 for STARTTLS.",
            min = 1,
            max = 65_535)
        @Nullable Integer port,
    @Field(doc = "For `email`, the sender of the mails.", max = 254) @Nullable String from,
    @Field(doc = "For `email`, the recipients of the mails.", min = 1, max = 20, eachMax = 254)
        @Nullable List<String> to,
    @Field(
            doc =
                "For `email`, the credentials for the mail server; null if it asks for none. If"
                    + " a change leaves them out they stay, unless `host` or `port` changes: then"
                    + " they are required again.")
        Given<MailLoginForm> credentials) {
  WantedLine wanted() {
    return new WantedLine(url, host, port, from, to, credentials.map(MailLoginForm::login));
  }

  @Override
  public String toString() {
    return "LineForm[…]";
  }
}

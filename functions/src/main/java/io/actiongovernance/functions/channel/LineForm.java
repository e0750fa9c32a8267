package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.WantedLine;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.json.Given;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a channel is told, as it is sent. */
record LineForm(
    @Field(
            doc =
                "Of `slack`: the URL of an incoming webhook, HTTPS, to an address outside the"
                    + " network. Write-only; kept encrypted.",
            max = 2_000,
            format = "uri",
            published = "^https://",
            example = "https://hooks.example/services/T0/B0/shownOnceAndNeverAgain")
        @Nullable String url,
    @Field(doc = "Of `email`: the mail server, outside the network.", max = 253)
        @Nullable String host,
    @Field(
            doc =
                "Of `email`: 465, where TLS begins with the first byte, or 587, where it begins"
                    + " with STARTTLS.",
            min = 1,
            max = 65_535)
        @Nullable Integer port,
    @Field(doc = "Of `email`: who its mails are from.", max = 254) @Nullable String from,
    @Field(doc = "Of `email`: who gets its mails.", min = 1, max = 20, eachMax = 254)
        @Nullable List<String> to,
    @Field(
            doc =
                "Of `email`: whom the server knows; null where it asks for nobody. Left out in a"
                    + " change they stay, unless `host` or `port` change: then they are to be said"
                    + " again.")
        Given<MailLoginForm> credentials) {
  WantedLine wanted() {
    return new WantedLine(url, host, port, from, to, credentials.map(MailLoginForm::login));
  }

  @Override
  public String toString() {
    return "LineForm[…]";
  }
}

package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;

/** The credentials for a mail server, in requests. */
@Doc("Credentials for the mail server. Write-only; kept encrypted.")
record MailLoginForm(
    @Field(doc = "The user name.", min = 1, max = 500, example = "gov") String username,
    @Field(doc = "The password, secret.", min = 1, max = 5_000, example = "shownToNobody")
        String password) {
  Login login() {
    return new Login(username, password);
  }

  @Override
  public String toString() {
    return "MailLoginForm[…]";
  }
}

package io.actiongovernance.approval;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Passkey;
import io.actiongovernance.people.Person;
import io.actiongovernance.policy.ApprovalPolicy.Method;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A vote that is about to be given, with its proof. Immutable.
 *
 * @param selected the actions that it is for, in the order of the plan
 * @param challenge the challenge that was signed, which the vote uses up; null if nothing was
 *     signed
 * @param passkey the passkey that signed; null if none did
 * @param receipt the receipt of the evidence
 */
public record Ballot(
    List<ActionId> selected,
    @Nullable String note,
    Statement statement,
    @Nullable Challenge challenge,
    @Nullable Passkey passkey,
    @Nullable Assertion assertion,
    ReceiptId receipt) {
  public Ballot {
    selected = List.copyOf(selected);
  }

  public Method method() {
    return passkey == null ? Method.SESSION : Method.PASSKEY;
  }

  /**
   * Returns the ballot as a vote.
   *
   * @param request the identifier minted for the request
   */
  public Vote vote(Person person, String request, Instant at) {
    return new Vote(
        person.id(),
        person.name(),
        method(),
        selected,
        note,
        passkey == null ? null : passkey.credentialId(),
        receipt,
        request,
        at);
  }
}

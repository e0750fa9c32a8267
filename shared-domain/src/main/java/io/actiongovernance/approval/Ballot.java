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
 * A vote that is about to be given, with what it is proven by. Immutable.
 *
 * @param selected the actions that it is for, in the order of the plan
 * @param challenge that it was signed for, which is used up by it; null where nothing was signed
 * @param passkey that signed; null where none did
 * @param receipt of the evidence
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

  /** How it is given. */
  public Method method() {
    return passkey == null ? Method.SESSION : Method.PASSKEY;
  }

  /**
   * The vote that it is.
   *
   * @param request minted for the request
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

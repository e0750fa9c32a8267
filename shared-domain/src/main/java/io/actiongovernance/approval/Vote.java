package io.actiongovernance.approval;

import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.policy.ApprovalPolicy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person's approval of some of a plan's actions (contract for people, section 3). A person has
 * one vote for a plan. Immutable.
 *
 * @param name the person's name at that time
 * @param selected the actions that it is for, in the order of the plan
 * @param credentialId the passkey that signed; null if none did
 * @param receipt the receipt of its evidence
 * @param request the identifier minted for the request that gave it, by which a repeated request
 *     finds the vote
 */
public record Vote(
    PersonId person,
    String name,
    ApprovalPolicy.Method method,
    List<ActionId> selected,
    @Nullable String note,
    @Nullable String credentialId,
    ReceiptId receipt,
    String request,
    Instant at) {
  public Vote {
    selected = List.copyOf(selected);
  }

  /** Returns the voter, as plans, receipts and records name them. */
  public Principal principal() {
    return new Principal(Principal.Type.PERSON, person.value(), name, null);
  }

  /** Returns the voter as a decider, for a vote that counted. */
  public Decider decider() {
    return new Decider(principal(), true, null, method.wire(), at, receipt);
  }
}

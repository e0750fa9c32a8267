package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Maker of a decision: the credential used, and whether the person behind it was verified
 * (contract, section 6, {@code decided_by}).
 *
 * @param verified whether a person proved their identity
 * @param claimedAs the person whom the request claims to decide for; null if the request does not
 *     say
 * @param method {@code key}; for a signed-in person {@code session}, or {@code passkey} if they
 *     signed the decision
 * @param receipt the receipt of the vote; null if there was no vote
 */
public record Decider(
    Principal principal,
    boolean verified,
    @Nullable String claimedAs,
    String method,
    Instant at,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ReceiptId receipt) {

  /**
   * Returns the decider for a caller that decides by its credential alone. That is a key, under any
   * name that its request gives, or a signed-in person, who was verified.
   */
  public static Decider by(Principal principal, @Nullable String claimedAs, Instant at) {
    boolean person = principal.type() == Principal.Type.PERSON;
    return new Decider(principal, person, claimedAs, person ? "session" : "key", at, null);
  }

  /** Returns the published form, which receipts contain too. */
  public ObjectNode wire() {
    ObjectNode wire = principal.wire();
    wire.put("verified", verified);
    wire.put("claimed_as", claimedAs);
    wire.put("method", method);
    wire.put("at", Timestamps.format(at));
    if (receipt != null) {
      wire.put("receipt_id", receipt.value());
    }
    return wire;
  }
}

package io.actiongovernance.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One who decided something: the credential that did, and whether the person behind it was verified
 * (contract, section 6, {@code decided_by}).
 *
 * @param verified whether a person showed who they are
 * @param claimedAs whom the request says it is for; null if it does not say
 * @param method how it was decided: {@code key}
 */
public record Decider(
    Principal principal, boolean verified, @Nullable String claimedAs, String method, Instant at) {

  /** A caller that decides by its key alone, under whatever name its request gives. */
  public static Decider byKey(Principal principal, @Nullable String claimedAs, Instant at) {
    return new Decider(principal, false, claimedAs, "key", at);
  }

  /** How it is answered and receipted. */
  public ObjectNode wire() {
    ObjectNode wire = principal.wire();
    wire.put("verified", verified);
    wire.put("claimed_as", claimedAs);
    wire.put("method", method);
    wire.put("at", Timestamps.format(at));
    return wire;
  }
}

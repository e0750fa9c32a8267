package io.actiongovernance.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Who proposed, as the service itself knows it (contract, section 6, Principals).
 *
 * @param principal the operator whose script or model proposed, or who called
 * @param triggeredBy who ingested the event that had the operator propose; null for a schedule, and
 *     where somebody called
 */
public record ProposedBy(Principal principal, @Nullable Principal triggeredBy) {

  /** Who proposes by a request of their own. */
  public static ProposedBy caller(Caller caller) {
    return new ProposedBy(caller.principal(), null);
  }

  /** How it is answered and receipted: {@code {"type","id","name","triggered_by"}}. */
  public ObjectNode wire() {
    ObjectNode wire = principal.wire();
    wire.set("triggered_by", triggeredBy == null ? wire.nullNode() : triggeredBy.wire());
    return wire;
  }
}

package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who proposed, as the service itself knows it (contract, section 6, Principals).
 *
 * @param principal the operator whose script or model proposed, or who called
 * @param triggeredBy who ingested the event that had the operator propose; null for a schedule, and
 *     where somebody called
 * @param askedAgainBy who had the operator propose once more for that event; null where nobody did.
 *     Never shown: who it is for stays who ingested it
 * @param ingestedBy who ingested the event that a caller names, for which they propose; null where
 *     they name none, and where nobody called. Never shown: who calls proposes of their own accord
 * @param amendedBy who amended what was proposed, in the order in which they did: they propose it
 *     too (contract for people, section 3)
 */
public record ProposedBy(
    Principal principal,
    @Nullable Principal triggeredBy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Principal askedAgainBy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Principal ingestedBy,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Principal> amendedBy) {
  public ProposedBy {
    // Left out where it is stored if there are none.
    amendedBy = List.copyOf(Objects.requireNonNullElse(amendedBy, List.of()));
  }

  /** Who proposed what nobody has amended. */
  public ProposedBy(Principal principal, @Nullable Principal triggeredBy) {
    this(principal, triggeredBy, null, null, List.of());
  }

  /**
   * An operator that proposes by itself.
   *
   * @param ingestedBy who ingested the event; null for a schedule
   * @param again who had it propose once more for that; null if nobody did
   */
  public static ProposedBy operator(
      Principal operator, @Nullable Principal ingestedBy, @Nullable Principal again) {
    return new ProposedBy(operator, ingestedBy, again, null, List.of());
  }

  /** Who proposes by a request of their own. */
  public static ProposedBy caller(Caller caller) {
    return new ProposedBy(caller.principal(), null);
  }

  /**
   * Who proposes by a request of their own for an event.
   *
   * @param ingestedBy who ingested it
   */
  public static ProposedBy caller(Caller caller, @Nullable Principal ingestedBy) {
    return new ProposedBy(caller.principal(), null, null, ingestedBy, List.of());
  }

  /** The same, amended by this one as well. */
  public ProposedBy amendedBy(Principal another) {
    return new ProposedBy(
        principal,
        triggeredBy,
        askedAgainBy,
        ingestedBy,
        Stream.concat(amendedBy.stream(), Stream.of(another)).toList());
  }

  /** Who had it proposed, without proposing it: whoever ingested the event, or asked once more. */
  public List<Principal> triggers() {
    return Stream.of(triggeredBy, askedAgainBy, ingestedBy).filter(Objects::nonNull).toList();
  }

  /** Whether this is one of those whose proposal it is, by whichever key. */
  public boolean includes(Principal other) {
    return principal.is(other) || amendedBy.stream().anyMatch(one -> one.is(other));
  }

  /** How it is answered and receipted: {@code {"type","id","name","triggered_by"}}. */
  public ObjectNode wire() {
    ObjectNode wire = principal.wire();
    wire.set("triggered_by", triggeredBy == null ? wire.nullNode() : triggeredBy.wire());
    return wire;
  }

  /** How the last who amended it is answered and receipted; null if nobody did. */
  public @Nullable ObjectNode amendedByWire() {
    return amendedBy.isEmpty() ? null : amendedBy.getLast().wire();
  }
}

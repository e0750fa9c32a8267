package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Authors of a proposal, as the service itself knows them (contract, section 6, Principals).
 *
 * @param principal the operator whose script or model proposed, or the caller
 * @param triggeredBy who ingested the event for which the operator proposed; null for a schedule,
 *     and for a caller
 * @param askedAgainBy who made the operator propose again for that event; null if nobody did. Never
 *     shown: {@code triggeredBy} stays the one who ingested it
 * @param ingestedBy who ingested the event that a caller names and proposes for; null if they name
 *     none, and if an operator proposed. Never shown: a caller proposes of their own accord
 * @param amendedBy those who amended the proposal, in order: they are its proposers too (contract
 *     for people, section 3)
 */
public record ProposedBy(
    Principal principal,
    @Nullable Principal triggeredBy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Principal askedAgainBy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Principal ingestedBy,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Principal> amendedBy) {
  public ProposedBy {
    // Omitted in storage if there are none.
    amendedBy = List.copyOf(Objects.requireNonNullElse(amendedBy, List.of()));
  }

  /** The authors of a proposal that nobody has amended. */
  public ProposedBy(Principal principal, @Nullable Principal triggeredBy) {
    this(principal, triggeredBy, null, null, List.of());
  }

  /**
   * An operator that proposes by itself.
   *
   * @param ingestedBy who ingested the event; null for a schedule
   * @param again who made it propose again for that event; null if nobody did
   */
  public static ProposedBy operator(
      Principal operator, @Nullable Principal ingestedBy, @Nullable Principal again) {
    return new ProposedBy(operator, ingestedBy, again, null, List.of());
  }

  /** A caller who proposes by a request. */
  public static ProposedBy caller(Caller caller) {
    return new ProposedBy(caller.principal(), null);
  }

  /** A caller who proposes by a request for an event. */
  public static ProposedBy caller(Caller caller, @Nullable Principal ingestedBy) {
    return new ProposedBy(caller.principal(), null, null, ingestedBy, List.of());
  }

  public ProposedBy amendedBy(Principal another) {
    return new ProposedBy(
        principal,
        triggeredBy,
        askedAgainBy,
        ingestedBy,
        Stream.concat(amendedBy.stream(), Stream.of(another)).toList());
  }

  /** Returns those who caused but did not make it: they ingested the event or asked again. */
  public List<Principal> triggers() {
    return Stream.of(triggeredBy, askedAgainBy, ingestedBy).filter(Objects::nonNull).toList();
  }

  /** Returns whether this is one of the proposal's authors, by whichever key. */
  public boolean includes(Principal other) {
    return principal.is(other) || amendedBy.stream().anyMatch(one -> one.is(other));
  }

  /** Returns the published form, also in receipts: {@code {"type","id","name","triggered_by"}}. */
  public ObjectNode wire() {
    ObjectNode wire = principal.wire();
    wire.set("triggered_by", triggeredBy == null ? wire.nullNode() : triggeredBy.wire());
    return wire;
  }

  /** Returns the published form of the last one who amended it; null if nobody did. */
  public @Nullable ObjectNode amendedByWire() {
    return amendedBy.isEmpty() ? null : amendedBy.getLast().wire();
  }
}

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
 *     shown: {@code triggeredBy} still names who ingested the event
 * @param ingestedBy who ingested the event that a caller names in its proposal; null if the caller
 *     names no event, and if an operator proposed. Never shown, because a caller proposes of its
 *     own accord
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
   * Returns the authors of a proposal by an operator.
   *
   * @param ingestedBy who ingested the event; null for a schedule
   * @param again who made the operator propose again for that event; null if nobody did
   */
  public static ProposedBy operator(
      Principal operator, @Nullable Principal ingestedBy, @Nullable Principal again) {
    return new ProposedBy(operator, ingestedBy, again, null, List.of());
  }

  /** Returns the authors of a proposal that a caller makes by a request. */
  public static ProposedBy caller(Caller caller) {
    return new ProposedBy(caller.principal(), null);
  }

  /**
   * Returns the authors of a proposal that a caller makes by a request, for an event.
   *
   * @param ingestedBy who ingested the event; null if the caller names none
   */
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

  /**
   * Returns those who caused the proposal without making it: they ingested the event, or made the
   * operator propose again.
   */
  public List<Principal> triggers() {
    return Stream.of(triggeredBy, askedAgainBy, ingestedBy).filter(Objects::nonNull).toList();
  }

  /** Returns whether this is one of the proposal's authors, under any of their keys. */
  public boolean includes(Principal other) {
    return principal.is(other) || amendedBy.stream().anyMatch(one -> one.is(other));
  }

  /**
   * Returns the published form, which receipts contain too: {@code
   * {"type","id","name","triggered_by"}}.
   */
  public ObjectNode wire() {
    ObjectNode wire = principal.wire();
    wire.set("triggered_by", triggeredBy == null ? wire.nullNode() : triggeredBy.wire());
    return wire;
  }

  /** Returns the published form of the last author who amended the proposal; null if nobody did. */
  public @Nullable ObjectNode amendedByWire() {
    return amendedBy.isEmpty() ? null : amendedBy.getLast().wire();
  }
}

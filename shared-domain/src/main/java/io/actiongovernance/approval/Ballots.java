package io.actiongovernance.approval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Passkey;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes ballots: asks people to sign what they approve, and verifies the signatures (contract for
 * people, section 3). Thread-safe.
 */
public final class Ballots {

  private final Store store;
  private final Votes votes;
  private final Assertions assertions;
  private final Ids ids;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * @param random must be unpredictable
   */
  public Ballots(
      Store store, Assertions assertions, Ids ids, InstantSource clock, RandomGenerator random) {
    this.store = store;
    this.votes = new Votes(store);
    this.assertions = assertions;
    this.ids = ids;
    this.clock = clock;
    this.random = random;
  }

  public Votes votes() {
    return votes;
  }

  /**
   * Subject of a ballot.
   *
   * @param actions all actions of the plan
   * @param guardrailsVersion current version of the operator's guardrails
   */
  public record Subject(Plan plan, List<Action> actions, long guardrailsVersion, Person person) {
    public Subject {
      actions = List.copyOf(actions);
    }

    /** Returns the chosen actions, in the order of the plan; all if none are named. */
    List<ActionId> selected(@Nullable List<ActionId> chosen) {
      Set<ActionId> named = new HashSet<>(chosen == null ? plan.terms().actionIds() : chosen);
      return plan.terms().actionIds().stream().filter(named::contains).toList();
    }
  }

  /**
   * A challenge that was issued.
   *
   * @param credentials the identifiers of the person's passkeys
   */
  public record Issued(
      String id,
      Statement statement,
      String relyingParty,
      List<String> credentials,
      Instant expiresAt) {
    public Issued {
      credentials = List.copyOf(credentials);
    }

    /** Returns the bytes that the authenticator must sign. */
    public byte[] bytes() {
      return statement.challenge();
    }
  }

  public Issued challenge(Subject subject, @Nullable List<ActionId> chosen, @Nullable String note) {
    List<ActionId> selected = subject.selected(chosen);
    Instant end = clock.instant().plus(Challenge.LIFE).truncatedTo(ChronoUnit.MILLIS);
    String nonce = RandomText.next(random);
    Statement statement = statement(subject, selected, note, nonce, end);
    Challenge challenge =
        new Challenge(
            ids.next(),
            subject.plan().id(),
            subject.person().id(),
            selected,
            note,
            statement,
            nonce,
            end);
    store.write(challenge.insert(subject.plan().partition()));
    return new Issued(
        challenge.id(),
        statement,
        assertions.relyingParty(),
        subject.person().passkeys().stream().map(Passkey::credentialId).toList(),
        end);
  }

  private Statement statement(
      Subject subject,
      List<ActionId> selected,
      @Nullable String note,
      @Nullable String nonce,
      @Nullable Instant end) {
    return new Statement.Of(
            assertions.relyingParty(),
            subject.plan(),
            subject.actions(),
            Set.copyOf(selected),
            subject.guardrailsVersion(),
            subject.person().id(),
            note,
            nonce,
            end)
        .make();
  }

  public Ballot unsigned(Subject subject, @Nullable List<ActionId> chosen, @Nullable String note) {
    List<ActionId> selected = subject.selected(chosen);
    return new Ballot(
        selected,
        note,
        statement(subject, selected, note, null, null),
        null,
        null,
        null,
        ReceiptId.next(ids, subject.plan().id()));
  }

  /**
   * Returns a ballot that a passkey signed.
   *
   * @param chosen must match the challenge; null to use its actions
   * @param note must match the challenge; null to use its note
   */
  public Outcome<Ballot> signed(
      Subject subject,
      @Nullable List<ActionId> chosen,
      @Nullable String note,
      String challengeId,
      Assertion assertion) {
    Partition partition = subject.plan().partition();
    Optional<Challenge> found =
        Challenge.find(store, partition, challengeId)
            .filter(challenge -> challenge.person().equals(subject.person().id()))
            .filter(challenge -> challenge.plan().equals(subject.plan().id()))
            .filter(challenge -> clock.instant().isBefore(challenge.expiresAt()));
    if (found.isEmpty()) {
      return Outcome.refused(new Refusal.ChallengeUsed());
    }
    Challenge challenge = found.get();
    List<ActionId> selected = chosen == null ? challenge.selected() : subject.selected(chosen);
    String said = note == null ? challenge.note() : note;
    Statement now = statement(subject, selected, said, challenge.nonce(), challenge.expiresAt());
    if (!now.says(challenge.statement())) {
      return Outcome.refused(new Refusal.ApprovalStale());
    }
    Optional<Passkey> passkey = subject.person().passkeyOf(assertion.credentialId());
    if (passkey.isEmpty()) {
      return Outcome.refused(
          new Refusal.SignatureInvalid("The passkey that signed is not one of yours."));
    }
    Optional<String> fault = assertions.fault(passkey.get(), now.challenge(), assertion);
    return fault.isPresent()
        ? Outcome.refused(new Refusal.SignatureInvalid(fault.get()))
        : Outcome.done(
            new Ballot(
                selected,
                said,
                now,
                challenge,
                passkey.get(),
                assertion,
                ReceiptId.next(ids, subject.plan().id())));
  }

  /**
   * Returns the writes that record a vote, use up its challenge, and write a receipt of its
   * evidence.
   */
  public List<Write> writes(Caller caller, Plan plan, Ballot ballot, Vote vote) {
    List<Write> writes = new ArrayList<>();
    writes.add(Votes.put(plan, vote));
    writes.add(
        ReceiptLedger.append(
            draft(caller, plan, ReceiptOutcome.VOTED, vote)
                .with("note", vote.note())
                .evidence(evidence(ballot))
                .seal(vote.receipt())));
    if (ballot.challenge() != null) {
      writes.add(ballot.challenge().use(plan.partition()));
    }
    return writes;
  }

  List<Write> withdrawal(Caller caller, Plan plan, Vote vote) {
    return List.of(
        Votes.delete(plan, vote.person()),
        ReceiptLedger.append(
            draft(caller, plan, ReceiptOutcome.WITHDRAWN, vote)
                .seal(ReceiptId.next(ids, plan.id()))));
  }

  private static ReceiptDraft draft(Caller caller, Plan plan, ReceiptOutcome outcome, Vote vote) {
    return new ReceiptDraft(plan.partition(), Receipt.Kind.APPROVAL, outcome)
        .with("event_id", plan.terms().eventId())
        .with("plan_id", plan.id())
        .with("operator_id", plan.terms().operatorId())
        .with("correlation_id", plan.terms().correlationId())
        .with("workspace_id", plan.terms().workspaceId())
        .with("approver", vote.name())
        .request(caller.requestId())
        .proposedBy(plan.terms().proposedBy())
        .decidedBy(List.of(vote.decider()));
  }

  private ObjectNode evidence(Ballot ballot) {
    ObjectNode evidence = Json.object().put("method", ballot.method().wire());
    evidence.set("statement", ballot.statement().document());
    Passkey passkey = ballot.passkey();
    if (passkey != null) {
      Assertion assertion = Objects.requireNonNull(ballot.assertion());
      evidence
          .put("credential_id", passkey.credentialId())
          .put("public_key_cose", passkey.publicKey())
          .put("public_key_spki", assertions.publicKeyInfo(passkey))
          .put("authenticator_data", assertion.authenticatorData())
          .put("client_data", assertion.clientData())
          .put("signature", assertion.signature());
    }
    return evidence;
  }
}

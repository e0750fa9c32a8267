package io.actiongovernance.people;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Subject;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.PersonId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A person of a tenant and mode (contract for people, section 1). Identity is tenant, issuer and
 * subject, never the e-mail. Immutable.
 *
 * <p>Rights depend on the time. A person with an issuer has neither groups nor bindings once their
 * last sign-in there is too long ago, so that a dismissal there takes effect here. The same applies
 * once the provider that received the statement is gone or has been replaced. So every decision
 * asks {@link #groupsAt} and {@link #scopesAt}.
 *
 * @param email for people to read; null if unknown
 * @param identity their identity at their issuer; null if they have none
 * @param passkeys their passkeys, oldest first
 * @param createdAt when they were first seen, or created by hand
 * @param lastSeenAt when they last signed in; null if never
 * @param since instants before which some of their acts do not count
 * @param version counts the changes of all components above except the last two; decisions about a
 *     person as read are written under {@link People#unchanged}
 */
public record Person(
    PersonId id,
    Partition partition,
    String name,
    @Nullable String email,
    Status status,
    List<RoleBinding> bindings,
    List<Membership> groups,
    @Nullable Identity identity,
    List<Passkey> passkeys,
    Instant createdAt,
    IssuerWord word,
    @Nullable Instant lastSeenAt,
    Since since,
    long version) {
  public Person {
    bindings = List.copyOf(bindings);
    groups = List.copyOf(groups);
    passkeys = List.copyOf(passkeys);
  }

  public enum Status {
    ACTIVE("active"),
    SUSPENDED("suspended");

    private final String wire;

    Status(String wire) {
      this.wire = wire;
    }

    @JsonValue
    public String wire() {
      return wire;
    }

    public static Optional<Status> parse(String text) {
      return Arrays.stream(values()).filter(status -> status.wire.equals(text)).findFirst();
    }
  }

  /**
   * Identity of a person at an issuer.
   *
   * @param provider where they last signed in; null once their roles and groups are set by hand,
   *     because the mode no longer had that provider
   * @param issuer the issuer's name in its tokens
   * @param subject {@code sub} in its tokens
   */
  public record Identity(@Nullable IdentityProviderId provider, String issuer, String subject) {}

  /**
   * Instants from which parts of a person count.
   *
   * @param seen when they first signed in; null if never
   * @param suspended when they were last suspended, or signed in again after their issuer's
   *     statement had ended. Everything that began before has ended too; null if never
   * @param rights when their status, bindings or groups last changed; earlier votes were given with
   *     other rights. Null if never
   */
  public record Since(
      @Nullable Instant seen, @Nullable Instant suspended, @Nullable Instant rights) {
    /** The value for a person who was just created. */
    public static final Since NEVER = new Since(null, null, null);
  }

  /** Returns when they were first seen, or if never, when they were created. */
  public Instant firstSeenAt() {
    return since.seen() == null ? createdAt : since.seen();
  }

  /**
   * Returns whether work that they began at this instant may continue: they are active, and have
   * not been suspended since.
   */
  public boolean admits(Instant begun) {
    return isActive() && (since.suspended() == null || begun.isAfter(since.suspended()));
  }

  /** Returns whether the claims of a provider of the mode determine their bindings and groups. */
  public boolean isFilled() {
    return identity != null && word.fills(identity);
  }

  /** Returns whether their bindings and groups are set by hand, with none from an issuer. */
  public boolean isByHand() {
    return identity == null || (identity.provider() == null && !isFilled());
  }

  /**
   * Returns whether the source of their rights is still valid: the provider that received their
   * statement is still the mode's, and unchanged in substance.
   */
  public boolean stands() {
    return isByHand() || (identity != null && word.stands(identity));
  }

  /**
   * Returns whether a role of theirs still follows from the provider's rules, and has done so ever
   * since their statement.
   */
  private boolean has(RoleBinding binding) {
    return isByHand() || (isFilled() && word.gives(groupNames(), binding));
  }

  /**
   * Returns their roles, except those that ended with a change of the provider. Roles are included
   * even if the statement is too old to count now. Roles set by hand for a person who never signed
   * in there are all included.
   */
  public List<RoleBinding> standingBindings() {
    return bindings.stream().filter(one -> word.at() == null || (stands() && has(one))).toList();
  }

  /** Returns their groups by the rules of {@link #standingBindings}. */
  public List<String> standingGroups() {
    return word.at() == null || stands() ? groupNames() : List.of();
  }

  /** Returns whether none of their rights has ended with a change of the provider. */
  boolean hasAll() {
    return stands() && bindings.stream().allMatch(this::has);
  }

  /** Returns whether they had their present rights at this instant. */
  public boolean hadItsRights(Instant at) {
    return since.rights() == null || !at.isBefore(since.rights());
  }

  public boolean isActive() {
    return status == Status.ACTIVE;
  }

  /** Returns the principal by which plans, receipts and records name them. */
  public Principal principal() {
    return new Principal(Principal.Type.PERSON, id.value(), name, null, subject());
  }

  /** Returns their subject at their issuer; null if they have none. */
  public @Nullable Subject subject() {
    return identity == null ? null : new Subject(identity.issuer(), identity.subject());
  }

  /**
   * Returns whether another person may still state their identity, because nothing proves it yet.
   * They are active, have neither an issuer nor a passkey, and have never had a session.
   */
  public boolean isNew() {
    return isActive() && identity == null && passkeys.isEmpty() && lastSeenAt == null;
  }

  /** Returns the names of the groups that count at this instant. */
  public List<String> groupsAt(Instant now, Duration issuerLife) {
    return counts(now, issuerLife) ? groups.stream().map(Membership::group).toList() : List.of();
  }

  /** Returns the names of their groups, even if they do not count now. */
  public List<String> groupNames() {
    return groups.stream().map(Membership::group).toList();
  }

  public boolean hasScope(Scope scope, @Nullable String workspace) {
    return bindings.stream()
        .anyMatch(
            binding ->
                has(binding)
                    && binding.countsIn(workspace)
                    && binding.role().scopes().contains(scope));
  }

  /** Returns the time since which they have been in a group; empty if they are not in it. */
  public Optional<Instant> inGroupSince(String group) {
    return groups.stream()
        .filter(membership -> membership.group().equals(group))
        .map(Membership::since)
        .findFirst();
  }

  /**
   * Returns their scopes at this instant: the union of the scopes of their roles there.
   *
   * @param workspace null for the tenant as a whole
   */
  public Set<Scope> scopesAt(Instant now, Duration issuerLife, @Nullable String workspace) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    if (counts(now, issuerLife)) {
      bindings.stream()
          .filter(binding -> has(binding) && binding.countsIn(workspace))
          .forEach(binding -> scopes.addAll(binding.role().scopes()));
    }
    return scopes;
  }

  /** Returns whether the issuer's statement about them still counts. */
  public boolean counts(Instant now, Duration issuerLife) {
    return isActive() && stands() && (isByHand() || word.isFresh(now, issuerLife));
  }

  /** Applies a change; null fields stay unchanged. */
  Person changed(PersonChange change, Instant now) {
    return change.saysWhatClaimsFill() && !isByHand()
        ? byHand(now).changed(change, now)
        : changedByHand(change, now);
  }

  /** Returns this person without any rights from an issuer that the mode no longer has. */
  private Person byHand(Instant now) {
    Identity known = Objects.requireNonNull(identity);
    return new Person(
        id,
        partition,
        name,
        email,
        status,
        List.of(),
        List.of(),
        new Identity(null, known.issuer(), known.subject()),
        passkeys,
        createdAt,
        word,
        lastSeenAt,
        new Since(since.seen(), now, now),
        version);
  }

  private Person changedByHand(PersonChange change, Instant now) {
    Status then = change.status() == null ? status : change.status();
    List<RoleBinding> bound = change.bindings() == null ? bindings : change.bindings();
    List<Membership> in = change.groups() == null ? groups : memberships(change.groups(), now);
    Instant suspended = isActive() && then == Status.SUSPENDED ? now : since.suspended();
    boolean same = then == status && bound.equals(bindings) && in.equals(groups);
    return new Person(
        id,
        partition,
        change.name() == null ? name : change.name(),
        email,
        then,
        bound,
        in,
        identity,
        passkeys,
        createdAt,
        word,
        lastSeenAt,
        new Since(since.seen(), suspended, same ? since.rights() : now),
        version + 1);
  }

  /**
   * Returns this person with the mode's present issuer, which matters for people with an issuer.
   */
  Person beside(@Nullable StandingIssuer standing) {
    return identity == null
        ? this
        : new Person(
            id,
            partition,
            name,
            email,
            status,
            bindings,
            groups,
            identity,
            passkeys,
            createdAt,
            word.beside(standing),
            lastSeenAt,
            since,
            version);
  }

  Person holding(List<Passkey> others) {
    return new Person(
        id,
        partition,
        name,
        email,
        status,
        bindings,
        groups,
        identity,
        others,
        createdAt,
        word,
        lastSeenAt,
        since,
        version + 1);
  }

  /** Returns memberships in these groups from now on. Existing memberships keep their date. */
  private List<Membership> memberships(List<String> names, Instant now) {
    return names.stream()
        .map(group -> new Membership(group, inGroupSince(group).orElse(now)))
        .toList();
  }

  /** Returns whether both are equal in everything that counts as a change. */
  boolean isAs(Person other) {
    return status == other.status && PersonItems.doc(this).equals(PersonItems.doc(other));
  }

  public Optional<Passkey> passkey(PasskeyId passkey) {
    return passkeys.stream().filter(one -> one.id().equals(passkey)).findFirst();
  }

  /** Returns the passkey with this authenticator's name, base64url without padding. */
  public Optional<Passkey> passkeyOf(String credentialId) {
    return passkeys.stream().filter(one -> one.credentialId().equals(credentialId)).findFirst();
  }

  /**
   * Returns whether they are one of the administrators of whom a mode must keep at least one. They
   * must have the role, and be able to sign in and use it. A person who was only created or invited
   * does not count yet.
   */
  boolean isAdmin() {
    return isActive()
        && stands()
        && !(isByHand() && passkeys.isEmpty())
        && bindings.stream().anyMatch(binding -> binding.isUnpinnedAdmin() && has(binding));
  }

  /** Returns whether they could act as an administrator at this instant. */
  boolean isAdminAt(Instant now, Duration issuerLife) {
    return isAdmin()
        && counts(now, issuerLife)
        && (!isByHand() || passkeys.stream().anyMatch(passkey -> passkey.isSettled(now)));
  }
}

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
 * <p>What counts of somebody goes by the time: who has an issuer has neither groups nor bindings
 * once their last sign-in there is too long ago, so that who is dismissed there is dismissed here;
 * nor once the provider that heard it is gone or has come to be another. So {@link #groupsAt} and
 * {@link #scopesAt} are asked, wherever something is decided.
 *
 * @param email for people to read; null where nobody said one
 * @param bindings the roles they have, and where
 * @param groups the groups they are in, and since when
 * @param identity who they are to their issuer; null for who has none
 * @param passkeys their passkeys, oldest first
 * @param createdAt when they were first seen, or made by hand
 * @param word what their issuer said last
 * @param lastSeenAt when they last signed in; null if they never did
 * @param since what of them counts only from an instant on
 * @param version counts the changes of all that is above but the last two; what rests on a person
 *     as they were read is written under {@link People#unchanged}
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

  /** Whether they may do anything. */
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
   * Who somebody is to an issuer.
   *
   * @param provider where they signed in last; null once their roles and groups are by hand, since
   *     the mode no longer had it
   * @param issuer as its tokens name it
   * @param subject {@code sub} of its tokens
   */
  public record Identity(@Nullable IdentityProviderId provider, String issuer, String subject) {}

  /**
   * Instants after which something of a person counts anew.
   *
   * @param seen when they first signed in; null if they never did
   * @param suspended when they were last suspended, or signed in anew after what their issuer had
   *     said had ended: what was begun before has ended too; null if never
   * @param rights when their status, bindings or groups last changed: a vote that was given before
   *     is of somebody with other rights; null if never
   */
  public record Since(
      @Nullable Instant seen, @Nullable Instant suspended, @Nullable Instant rights) {
    /** Of somebody who was just made. */
    public static final Since NEVER = new Since(null, null, null);
  }

  /** When they were first seen; of somebody who never was, when they were made. */
  public Instant firstSeenAt() {
    return since.seen() == null ? createdAt : since.seen();
  }

  /** Whether what was begun as them at this instant has not ended with their being suspended. */
  public boolean admits(Instant begun) {
    return isActive() && (since.suspended() == null || begun.isAfter(since.suspended()));
  }

  /** Whether a provider of the mode has claims that fill their bindings and groups. */
  public boolean isFilled() {
    return identity != null && word.fills(identity);
  }

  /** Whether their bindings and groups are by hand, and are none that an issuer said. */
  public boolean isByHand() {
    return identity == null || (identity.provider() == null && !isFilled());
  }

  /**
   * Whether whatever makes them count has not ended: the provider that heard what is said of them
   * is still the mode's, and still what it was.
   */
  public boolean stands() {
    return isByHand() || (identity != null && word.stands(identity));
  }

  /** Whether they have a role of theirs by what the provider has been since it heard them. */
  private boolean has(RoleBinding binding) {
    return isByHand() || (isFilled() && word.gives(groupNames(), binding));
  }

  /**
   * Their roles but for those that have ended with a change of the provider that heard them,
   * whether or not what it heard is too old to count at this moment. What was said by hand of
   * somebody who never signed in there is as it was said.
   */
  public List<RoleBinding> standingBindings() {
    return bindings.stream().filter(one -> word.at() == null || (stands() && has(one))).toList();
  }

  /** Their groups likewise. */
  public List<String> standingGroups() {
    return word.at() == null || stands() ? groupNames() : List.of();
  }

  /** Whether nothing of what is known of them has ended with a change of the provider. */
  boolean hasAll() {
    return stands() && bindings.stream().allMatch(this::has);
  }

  /** Whether they had at this instant the rights that they have now. */
  public boolean hadItsRights(Instant at) {
    return since.rights() == null || !at.isBefore(since.rights());
  }

  /** Whether they are not suspended. */
  public boolean isActive() {
    return status == Status.ACTIVE;
  }

  /** Who they are, as plans, receipts and records name them. */
  public Principal principal() {
    return new Principal(Principal.Type.PERSON, id.value(), name, null, subject());
  }

  /** Who they are to their issuer; null for who has none. */
  public @Nullable Subject subject() {
    return identity == null ? null : new Subject(identity.issuer(), identity.subject());
  }

  /**
   * Whether somebody else may say who they are, since nothing does yet: they are active, and have
   * neither issuer nor passkey nor ever had a session.
   */
  public boolean isNew() {
    return isActive() && identity == null && passkeys.isEmpty() && lastSeenAt == null;
  }

  /** The names of the groups that count at this instant. */
  public List<String> groupsAt(Instant now, Duration issuerLife) {
    return counts(now, issuerLife) ? groups.stream().map(Membership::group).toList() : List.of();
  }

  /** The names of their groups, whether or not they count at this moment. */
  public List<String> groupNames() {
    return groups.stream().map(Membership::group).toList();
  }

  /** Whether one of their roles has the scope there. */
  public boolean hasScope(Scope scope, @Nullable String workspace) {
    return bindings.stream()
        .anyMatch(
            binding ->
                has(binding)
                    && binding.countsIn(workspace)
                    && binding.role().scopes().contains(scope));
  }

  /** Since when they are in a group; empty for one that they are not in. */
  public Optional<Instant> inGroupSince(String group) {
    return groups.stream()
        .filter(membership -> membership.group().equals(group))
        .map(Membership::since)
        .findFirst();
  }

  /**
   * What they may do at this instant: the union of the roles that they have there.
   *
   * @param workspace which one; null for the tenant as a whole
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

  /** Whether what is known of them still counts. */
  public boolean counts(Instant now, Duration issuerLife) {
    return isActive() && stands() && (isByHand() || word.isFresh(now, issuerLife));
  }

  /** What of them is changed; what is null stays. */
  Person changed(PersonChange change, Instant now) {
    return change.saysWhatClaimsFill() && !isByHand()
        ? byHand(now).changed(change, now)
        : changedByHand(change, now);
  }

  /** The same with nothing that an issuer said, which the mode no longer has. */
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

  /** The same beside what the mode has by now, which counts for who has an issuer. */
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

  /** The same with these passkeys. */
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

  /** Being in these groups from now on; in those that they are in already, since they have been. */
  private List<Membership> memberships(List<String> names, Instant now) {
    return names.stream()
        .map(group -> new Membership(group, inGroupSince(group).orElse(now)))
        .toList();
  }

  /** Whether nothing of them differs that is a change of them. */
  boolean isAs(Person other) {
    return status == other.status && PersonItems.doc(this).equals(PersonItems.doc(other));
  }

  /** Their passkey of this identifier. */
  public Optional<Passkey> passkey(PasskeyId passkey) {
    return passkeys.stream().filter(one -> one.id().equals(passkey)).findFirst();
  }

  /** Their passkey that authenticators name so, base64url without padding. */
  public Optional<Passkey> passkeyOf(String credentialId) {
    return passkeys.stream().filter(one -> one.credentialId().equals(credentialId)).findFirst();
  }

  /**
   * Whether they are one of the administrators of which a mode must not lose its last: they have
   * the role, and could sign in and use it. Who has only been made or invited is none yet.
   */
  boolean isAdmin() {
    return isActive()
        && stands()
        && !(isByHand() && passkeys.isEmpty())
        && bindings.stream().anyMatch(binding -> binding.isUnpinnedAdmin() && has(binding));
  }

  /** Whether they could act as an administrator at this instant. */
  boolean isAdminAt(Instant now, Duration issuerLife) {
    return isAdmin()
        && counts(now, issuerLife)
        && (!isByHand() || passkeys.stream().anyMatch(passkey -> passkey.isSettled(now)));
  }
}

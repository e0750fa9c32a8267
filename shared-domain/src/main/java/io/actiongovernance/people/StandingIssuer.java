package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.Collection;
import java.util.List;

/**
 * The issuer at which the people of a mode sign in, by its provider's present state (contract for
 * people, section 1). It is a separate row, which is written and deleted with the provider, and
 * read together with each person who has an issuer. Statements about people count by this present
 * state, not by the state when they were made. Immutable.
 *
 * @param issuer the issuer's name in its tokens
 * @param version number of changes of the provider
 * @param heardSince the version from which on statements count: issuer, client and the groups claim
 *     have not changed since
 */
public record StandingIssuer(
    IdentityProviderId provider,
    String issuer,
    long version,
    long heardSince,
    List<GroupRole> roles) {
  public static final String ID = "id";

  private static final String VERSION = "version";
  private static final String ISSUER = "issuer";
  private static final String HEARD_SINCE = "heard_since";
  private static final String ROLES = "roles";

  public StandingIssuer {
    roles = List.copyOf(roles);
  }

  /**
   * A role of everyone in a group.
   *
   * @param since the version of the provider that added the role, if it has existed ever since.
   *     People whose statement is older have it only after their next sign-in
   */
  public record GroupRole(String group, RoleBinding role, long since) {}

  /**
   * Returns whether a person has a role by one of these groups.
   *
   * @param under the version of the provider that received their statement
   */
  boolean gives(Collection<String> groups, RoleBinding role, long under) {
    return roles.stream()
        .anyMatch(
            each ->
                each.role().equals(role) && each.since() <= under && groups.contains(each.group()));
  }

  /** Returns the key under which a mode names its provider. A mode has at most one. */
  public static Key key(Partition partition) {
    return Key.single(Table.STATE, partition.key("identity-provider"));
  }

  public Item item(Partition partition) {
    return Item.at(key(partition))
        .with(ID, provider.value())
        .with(VERSION, version)
        .with(ISSUER, issuer)
        .with(HEARD_SINCE, heardSince)
        .with(ROLES, Json.write(roles))
        .build();
  }

  static StandingIssuer read(Item item) {
    return new StandingIssuer(
        new IdentityProviderId(item.text(ID)),
        item.text(ISSUER),
        item.whole(VERSION, 0),
        item.whole(HEARD_SINCE, 0),
        List.of(Json.read(item.text(ROLES), GroupRole[].class)));
  }

  /** Returns the write that refuses a transaction unless the provider is unchanged. */
  Write unchanged(Partition partition) {
    return Write.check(
        key(partition),
        Condition.and(Condition.equal(ID, provider.value()), Condition.equal(VERSION, version)));
  }
}

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
 * The issuer at which the people of a mode sign in, by what its provider is at this moment
 * (contract for people, section 1). It is a row of its own, which is written with each change of
 * the provider and goes with it, and is read beside whoever has an issuer: what was said of
 * somebody counts by it, and not by what was there when it was said. Immutable.
 *
 * @param issuer as its tokens name it
 * @param version counts the changes of the provider
 * @param heardSince the version from which on what it heard counts: issuer, client and the claim
 *     with the groups have been what they are since
 * @param roles which groups have which roles
 */
public record StandingIssuer(
    IdentityProviderId provider,
    String issuer,
    long version,
    long heardSince,
    List<GroupRole> roles) {
  /** The identifier of the provider. */
  public static final String ID = "id";

  private static final String VERSION = "version";
  private static final String ISSUER = "issuer";
  private static final String HEARD_SINCE = "heard_since";
  private static final String ROLES = "roles";

  public StandingIssuer {
    roles = List.copyOf(roles);
  }

  /**
   * A role that whoever is in a group has.
   *
   * @param since the version of the provider with which it came, and since which it has been there
   *     without a gap: whoever was heard before has it only once they are heard anew
   */
  public record GroupRole(String group, RoleBinding role, long since) {}

  /**
   * Whether somebody has a role by one of these groups.
   *
   * @param under the version of the provider that heard them
   */
  boolean gives(Collection<String> groups, RoleBinding role, long under) {
    return roles.stream()
        .anyMatch(
            each ->
                each.role().equals(role) && each.since() <= under && groups.contains(each.group()));
  }

  /** Where a mode says which it has: there is one at the most. */
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

  /** The write that has a transaction refused unless the provider is what it was. */
  Write unchanged(Partition partition) {
    return Write.check(
        key(partition),
        Condition.and(Condition.equal(ID, provider.value()), Condition.equal(VERSION, version)));
  }
}

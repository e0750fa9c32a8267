package io.actiongovernance.functions.queue;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;

/**
 * Chooses an action's queue among those of a deployment. Stable hashes give a tenant two queues,
 * and give each line of its actions, and thus each entity, one of these two. A tenant that waits
 * for an unresponsive source system fills its two queues; other tenants' entities in other queues
 * are not affected.
 *
 * <p>With eight queues there are 28 pairs, so one tenant in 28 shares another's pair. Immutable.
 *
 * @param count the number of queues. A change moves lines to other queues: later messages may then
 *     overtake earlier ones, but never run at the same time
 */
public record ActionQueues(int count) {
  /** The most queues of a deployment. */
  public static final int MOST = 32;

  /** The number of hexadecimal digits of a hash that form a number. */
  private static final int DIGITS = 15;

  public ActionQueues {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("There are 1 to " + MOST + " action queues.");
    }
  }

  /** The queue of a line of a tenant's actions. */
  public DeployedQueue of(Partition partition, String line) {
    TenantId tenant = partition.tenant();
    String hash = CanonicalJson.sha256(tenant.value());
    int first = number(hash, 0) % count;
    int second = count == 1 ? first : (first + 1 + number(hash, DIGITS) % (count - 1)) % count;
    boolean other = number(hashOf(partition, line), 0) % 2 == 1;
    return new DeployedQueue(Queue.ACTIONS, 1 + (other ? second : first));
  }

  /** The hash of a line. It differs for lines of different tenants. */
  public static String hashOf(Partition partition, String line) {
    return CanonicalJson.sha256(partition.key() + "#" + line);
  }

  /** Digits of a hash as a non-negative number. */
  private static int number(String hash, int from) {
    return (int) (Long.parseLong(hash, from, from + DIGITS, 16) >>> 29);
  }
}

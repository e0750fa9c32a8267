package io.actiongovernance.functions.queue;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;

/**
 * Which of a deployment's queues an action is sent through. A tenant has two of them, and a line of
 * its actions, thus an entity, one of these two, by stable hashes. So who waits for a source system
 * that never answers fills two queues; the entities of others that lie in neither do not notice.
 *
 * <p>With eight queues there are 28 pairs: one tenant in 28 has the very pair of another.
 * Immutable.
 *
 * @param count how many there are. Where it changes, lines move to other queues: what was sent
 *     before may then be overtaken by what is sent after, though never run beside it
 */
public record ActionQueues(int count) {
  /** The most that a deployment has. */
  public static final int MOST = 32;

  /** Hexadecimal digits of a hash that make a number. */
  private static final int DIGITS = 15;

  public ActionQueues {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("There are 1 to " + MOST + " action queues.");
    }
  }

  /** The queue of what stands in a line of a tenant's actions. */
  public DeployedQueue of(Partition partition, String line) {
    TenantId tenant = partition.tenant();
    String hash = CanonicalJson.sha256(tenant.value());
    int first = number(hash, 0) % count;
    int second = count == 1 ? first : (first + 1 + number(hash, DIGITS) % (count - 1)) % count;
    boolean other = number(hashOf(partition, line), 0) % 2 == 1;
    return new DeployedQueue(Queue.ACTIONS, 1 + (other ? second : first));
  }

  /** The hash of a line among all tenants' lines. */
  public static String hashOf(Partition partition, String line) {
    return CanonicalJson.sha256(partition.key() + "#" + line);
  }

  /** Some digits of a hash as a number that is not negative. */
  private static int number(String hash, int from) {
    return (int) (Long.parseLong(hash, from, from + DIGITS, 16) >>> 29);
  }
}

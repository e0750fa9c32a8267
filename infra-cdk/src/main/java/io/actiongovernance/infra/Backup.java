package io.actiongovernance.infra;

import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies of the tables in another region or account, made by AWS Backup every week. Each copies
 * whole tables, so daily copies would cost seven times as much.
 *
 * @param vault the ARN of the vault for the copies, which must already exist
 * @param keepDays the number of days for which each copy is kept, both the minimum and the maximum
 */
record Backup(String vault, int keepDays) {
  private static final Pattern VAULT =
      Pattern.compile("arn:aws[a-z-]*:backup:([a-z0-9-]+):([0-9]{12}):backup-vault:[A-Za-z0-9_-]+");

  /** Five weeks, which keeps five copies. */
  static final int KEEP_DAYS = 35;

  /** The longest retention that AWS Backup supports. */
  static final int MOST_DAYS = 36_500;

  Backup {
    if (!VAULT.matcher(vault).matches()) {
      throw new IllegalArgumentException(
          "backup.vault must be the ARN of a vault of AWS Backup in another region or account: "
              + vault);
    }
  }

  /** The region and account of the copies. */
  Place place() {
    Matcher matcher = VAULT.matcher(vault);
    if (!matcher.matches()) {
      throw new IllegalStateException(vault);
    }
    return new Place(matcher.group(2), matcher.group(1));
  }

  /** The copied tables: all except those whose items live for only a day. */
  static List<Table> tables() {
    return Arrays.stream(Table.values())
        .filter(table -> table != Table.IDEMPOTENCY && table != Table.RESULTS)
        .toList();
  }
}

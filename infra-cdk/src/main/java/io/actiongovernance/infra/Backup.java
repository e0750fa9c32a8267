package io.actiongovernance.infra;

import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies of the tables in another region, or in another account: by AWS Backup, every week. It
 * copies whole tables each time, so that copies of every day would cost as much as the tables,
 * seven times over.
 *
 * @param vault the ARN of the vault that they are copied into, which is there already
 * @param keepDays how long each is kept, at least and at most
 */
record Backup(String vault, int keepDays) {
  private static final Pattern VAULT =
      Pattern.compile("arn:aws[a-z-]*:backup:([a-z0-9-]+):([0-9]{12}):backup-vault:[A-Za-z0-9_-]+");

  /** Five weeks: five copies. */
  static final int KEEP_DAYS = 35;

  /** As long as AWS Backup knows. */
  static final int MOST_DAYS = 36_500;

  Backup {
    if (!VAULT.matcher(vault).matches()) {
      throw new IllegalArgumentException(
          "backup.vault must be the ARN of a vault of AWS Backup in another region or account: "
              + vault);
    }
  }

  /** Where the copies are. */
  Place place() {
    Matcher matcher = VAULT.matcher(vault);
    if (!matcher.matches()) {
      throw new IllegalStateException(vault);
    }
    return new Place(matcher.group(2), matcher.group(1));
  }

  /** The tables that are copied: all but those whose items live for a day. */
  static List<Table> tables() {
    return Arrays.stream(Table.values())
        .filter(table -> table != Table.IDEMPOTENCY && table != Table.RESULTS)
        .toList();
  }
}

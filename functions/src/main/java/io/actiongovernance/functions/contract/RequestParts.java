package io.actiongovernance.functions.contract;

import io.actiongovernance.json.Fields;
import org.jspecify.annotations.Nullable;

/** Source of an input's components: one request. Not thread-safe. */
public interface RequestParts {
  /** A parameter of the path, percent-decoded. */
  String path(String parameter);

  /**
   * A parameter of the query; null if absent. An empty value counts as present.
   *
   * @throws io.actiongovernance.outcome.Problem if it is given twice or too long
   */
  @Nullable String query(String name);

  @Nullable String header(String name);

  /** The page parameters {@code limit} and {@code cursor}. */
  PageParameters page();

  /** Refuses query parameters that were not read, in revisions that are strict. */
  void noOtherQuery();

  /** The body; {@code {}} if absent. Fields that any body may have count as known. */
  Fields body();
}

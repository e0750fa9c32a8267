package io.actiongovernance.functions.contract;

import io.actiongovernance.json.Fields;
import org.jspecify.annotations.Nullable;

/** Where the components of an input are read from: one request. Not thread-safe. */
public interface RequestParts {
  /** The text in the path, percent-decoded. */
  String path(String parameter);

  /**
   * A parameter of the query, or null; an empty one is a parameter too.
   *
   * @throws io.actiongovernance.outcome.Problem if it is given twice or too long
   */
  @Nullable String query(String name);

  /** The value of a header, or null. */
  @Nullable String header(String name);

  /** {@code limit} and {@code cursor}. */
  PageParameters page();

  /** Refuses parameters of the query that were not asked for, in revisions that do. */
  void noOtherQuery();

  /** The body; an absent one is {@code {}}. Fields that any body may have are known. */
  Fields body();
}

package io.actiongovernance.functions.contract;

import io.actiongovernance.json.Fields;
import org.jspecify.annotations.Nullable;

/** The parts of one request, from which an input's components are read. Not thread-safe. */
public interface RequestParts {
  /** A parameter of the path, percent-decoded. */
  String path(String parameter);

  /**
   * A parameter of the query; null if absent. A parameter with an empty value counts as present.
   *
   * @throws io.actiongovernance.outcome.Problem if the parameter is given twice or is too long
   */
  @Nullable String query(String name);

  @Nullable String header(String name);

  /** The page parameters {@code limit} and {@code cursor}. */
  PageParameters page();

  /** Refuses query parameters that were not read, if the request's revision is strict. */
  void noOtherQuery();

  /** The body; {@code {}} if absent. The fields that any body may have count as known. */
  Fields body();
}

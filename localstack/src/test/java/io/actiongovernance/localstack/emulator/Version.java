package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import java.time.Duration;

/**
 * A function as it is configured, or was when it was published.
 *
 * @param number in the order of publishing; of what is not published {@link #LATEST}, and in the
 *     order of configurations
 * @param configuration as its template says it: what a version is a picture of
 */
record Version(
    String function,
    String number,
    JsonNode configuration,
    Image image,
    Duration timeout,
    String roleArn) {
  static final String LATEST = "$LATEST";

  /** The function and the number. */
  String name() {
    return function + ":" + number;
  }

  /** The same as it is published. */
  Version as(int published) {
    String text = String.valueOf(published);
    return new Version(
        function,
        text,
        configuration,
        image.withVariable("AWS_LAMBDA_FUNCTION_VERSION", text),
        timeout,
        roleArn);
  }
}

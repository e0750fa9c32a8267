package io.actiongovernance.localstack.runtime;

import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import io.actiongovernance.localstack.runtime.FunctionProcess.RunBy;
import java.nio.file.Path;

/**
 * Classes that were loaded once, kept as they were then (JEP 483 and 514), for processes that start
 * with much the same. Only what is on the machine's own class path can be kept.
 *
 * @param file which a process writes as it ends
 */
public record AotCache(Path file) {
  /** One that learns what to keep. */
  public Image learning(Image image) {
    return image.with(RunBy.ON_ONE_PATH).withOption("-XX:AOTCacheOutput=" + file);
  }

  /** One that starts with what was kept. */
  public Image used(Image image) {
    return image.with(RunBy.ON_ONE_PATH).withOption("-XX:AOTCache=" + file);
  }
}

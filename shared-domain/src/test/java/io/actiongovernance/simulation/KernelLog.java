package io.actiongovernance.simulation;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import io.actiongovernance.kernel.Sweep;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Hears what the kernel could not move on and logged instead of failing: faults of the simulation,
 * and else a defect. Keeps it off the terminal. Thread-safe.
 */
final class KernelLog extends AppenderBase<ILoggingEvent> {
  private final List<String> unexplained = new CopyOnWriteArrayList<>();

  static KernelLog attached() {
    KernelLog log = new KernelLog();
    Logger logger = logger();
    log.setContext(logger.getLoggerContext());
    log.start();
    logger.setAdditive(false);
    logger.addAppender(log);
    return log;
  }

  /** Stops; answers with what no fault explains. */
  List<String> detach() {
    logger().detachAppender(this);
    logger().setAdditive(true);
    return unexplained;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getThrowableProxy() instanceof ThrowableProxy proxy
        && !Faults.injected(proxy.getThrowable())) {
      unexplained.add(event.getFormattedMessage() + ": " + proxy.getThrowable());
    }
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Sweep.class.getPackageName());
  }
}

package io.actiongovernance.localstack.acceptance.console;

import io.actiongovernance.localstack.acceptance.fixture.OnAStack;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * A class of tests of the console in a browser, on the stack of the acceptance suite. The classes
 * of a lane run one after the other, beside all other tests, and first, since together they take
 * longest.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({OnAStack.class, BrowserProcess.OfAClass.class})
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = BrowserLane.Lanes.class)
@Order(2)
@interface BrowserLane {
  /** 1 or 2: each takes about as long. */
  int value();

  /** One class of each lane at a time. */
  final class Lanes implements ResourceLocksProvider {
    @Override
    public Set<Lock> provideForClass(Class<?> testClass) {
      return Set.of(new Lock("browser-" + testClass.getAnnotation(BrowserLane.class).value()));
    }
  }
}

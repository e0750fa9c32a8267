package io.actiongovernance.localstack.acceptance.console;

import io.actiongovernance.localstack.acceptance.fixture.OnAStack;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A class of tests of the console in a browser, on the stack of the acceptance suite. There is one
 * browser: these tests run one after the other, beside all others, and first, since together they
 * take longest.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnAStack.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("browser")
@Order(2)
@interface InBrowser {}

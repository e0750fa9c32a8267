package io.actiongovernance.localstack.acceptance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A class of the acceptance suite: its tests take a {@link Given}, or a {@link Stack}, and run side
 * by side, since most of their time is spent waiting.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnAStack.class)
@Execution(ExecutionMode.CONCURRENT)
@interface Acceptance {}

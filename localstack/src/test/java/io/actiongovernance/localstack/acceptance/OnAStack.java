package io.actiongovernance.localstack.acceptance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests what they run against: the one {@link Stack} of this JVM, started by the first test
 * that wants it and stopped after the last, and a {@link Given} of their own.
 */
final class OnAStack implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(OnAStack.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Stack.class || type == Given.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Stack stack =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(Stack.class, type -> start(), Stack.class);
    if (parameter.getParameter().getType() == Stack.class) {
      return stack;
    }
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(Given.class, type -> new Given(stack, stack.keys()), Given.class);
  }

  private static Stack start() {
    try {
      return Stack.start();
    } catch (Exception e) {
      throw new IllegalStateException("The stack did not start.", e);
    }
  }
}

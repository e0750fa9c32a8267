/** The console, over HTTP and ({@code Browser*}, with {@code -Pbrowser}) in a browser. */
@NullMarked
package io.actiongovernance.localstack.acceptance.console;

import org.jspecify.annotations.NullMarked;

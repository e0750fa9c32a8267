/** The console: a page and its files. The console uses only the public API. */
@NullMarked
package io.actiongovernance.functions.console;

import org.jspecify.annotations.NullMarked;

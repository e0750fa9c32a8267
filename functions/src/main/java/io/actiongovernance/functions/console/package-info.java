/** The console: a page and its files, which use the public API alone. */
@NullMarked
package io.actiongovernance.functions.console;

import org.jspecify.annotations.NullMarked;

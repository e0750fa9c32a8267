/** The console: a page and its files, which use only the public API. */
@NullMarked
package io.actiongovernance.functions.console;

import org.jspecify.annotations.NullMarked;

/** What every request shares: errors, lists, cursors, revisions. */
@NullMarked
package io.actiongovernance.api;

import org.jspecify.annotations.NullMarked;

/**
 * A day of a tenant: what good requests to all routes look like, and what has to be there before.
 * It is gone through in rehearsals, for the examples of the published document, and by tests.
 */
@NullMarked
package io.actiongovernance.functions.day;

import org.jspecify.annotations.NullMarked;

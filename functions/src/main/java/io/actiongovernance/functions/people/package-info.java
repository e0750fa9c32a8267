/** People: who they are, what they may do, and their passkeys. */
@NullMarked
package io.actiongovernance.functions.people;

import org.jspecify.annotations.NullMarked;

/** People: their identity, their rights and where they have them, and their passkeys. */
@NullMarked
package io.actiongovernance.people;

import org.jspecify.annotations.NullMarked;

/** JSON as the contract takes it: strict reading, exact numbers, one canonical form. */
@NullMarked
package io.actiongovernance.json;

import org.jspecify.annotations.NullMarked;

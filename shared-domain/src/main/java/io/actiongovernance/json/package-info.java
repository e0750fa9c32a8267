/** JSON as the contract accepts it: strict reading, exact numbers, one canonical form. */
@NullMarked
package io.actiongovernance.json;

import org.jspecify.annotations.NullMarked;
